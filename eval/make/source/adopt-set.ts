import { basename, extname, join } from 'node:path'
import { groupBy } from '../../../src/core/basics/group-by.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { writeDurably } from '../../../src/store/durable.ts'
import { loadBenchmark } from '../../benchmarks/index.ts'
import { allSamples, readSplit } from '../../benchmarks/read-split.ts'
import { videoFinder } from '../../data/find-videos.ts'
import type { Sample } from '../../data/sample.ts'
import type { DraftItem, SourceRecord } from '../../recipes/item.ts'
import type { AdoptedSample, MakeRecipe } from '../../recipes/recipe.ts'
import { readSourceVideo, type SourceSet } from './read-source.ts'

// All of it in one file: a set may have a thousand videos.
export const adoptedFile = 'made/adopted.json'
export interface Adopted {
  records: SourceRecord[]
  items: DraftItem[]
}

// The multiple-choice questions of a set that longtake reads, "NAME:FOLDER", with what is known of their videos. A video that is not
// there has a record all the same, which says so.
export async function adoptSet(
  set: string,
  recipe: MakeRecipe,
  settings: unknown,
  exclude: readonly string[],
  signal: AbortSignal,
): Promise<SourceSet> {
  if (!recipe.adopt)
    throw new UsageError(`--from ${set} names a benchmark's data, and ${recipe.name} is made only from videos.`, {
      hint: 'Name videos or folders of videos with --from.',
    })
  const at = set.indexOf(':')
  const [name, folder] = [set.slice(0, at), set.slice(at + 1)]
  const benchmark = await loadBenchmark(name)
  const { records } = await readSplit(benchmark, folder)
  const choices = allSamples(benchmark, records).filter(
    ({ question, choice, video, id, longId = id }) =>
      question.options !== undefined &&
      choice !== undefined &&
      ![video, basename(video), removeExtension(video), id, longId].some(one => exclude.includes(one)),
  )
  if (choices.length === 0)
    throw new UsageError(`${folder} must hold multiple-choice questions of ${name}, and holds none.`, {
      hint: 'Name a set whose questions have options and keys.',
    })
  const idOf = assignIds(choices.map(({ video }) => video))
  const sources = await placeVideos(choices, folder, idOf, signal)
  const samples = choices.map(sample => adoptSample(name, sample, idOf(sample.video)))
  return { ...sources, adopted: await recipe.adopt({ benchmark: name, samples }, settings) }
}

// What was read of videos, with what was adopted; made/ keeps both.
export async function withAdopted(own: SourceSet, adopted: readonly SourceSet[], folder?: string): Promise<SourceSet> {
  if (adopted.length === 0) return own
  const all = [own, ...adopted]
  const records = all.flatMap(one => one.records).sort((a, b) => (a.video_id < b.video_id ? -1 : 1))
  const double = records.find((one, at) => records[at + 1]?.video_id === one.video_id)
  if (double)
    throw new UsageError(`Two videos of --from would both be called "${double.video_id}" in the set.`, {
      hint: 'Make a set of each.',
    })
  const items = adopted.flatMap(one => one.adopted ?? [])
  const adoption: Adopted = { records: adopted.flatMap(one => one.records), items }
  if (folder !== undefined) await writeDurably(join(folder, adoptedFile), `${JSON.stringify(adoption)}\n`, 'umask')
  return { videos: all.flatMap(one => one.videos), records, adopted: items }
}

function adoptSample(name: string, { id, question, choice, groups, record }: Sample, video: string): AdoptedSample {
  const { options = [], text } = question
  return {
    id: `${name}:${id}`,
    video,
    question: text,
    options,
    right: choice ?? 0,
    kind: kindIn(groups),
    source: record as AdoptedSample['source'],
  }
}

// The group that says what kind of question it is, whatever its benchmark calls it.
function kindIn(groups: Record<string, string>): string {
  const named = (words: RegExp) => Object.entries(groups).find(([name]) => words.test(name))?.[1]
  return named(/type|task|skill/) ?? named(/categor/) ?? Object.values(groups)[0] ?? ''
}

async function placeVideos(
  samples: readonly Sample[],
  folder: string,
  idOf: (video: string) => string,
  signal: AbortSignal,
): Promise<SourceSet> {
  const find = await videoFinder(folder)
  const named = new Map(samples.map(sample => [sample.video, sample]))
  const sources: SourceSet = { videos: [], records: [] }
  for (const [video, { stated, about }] of named) {
    const videoFile = find(video)
    const adoptedVideo = 'path' in videoFile ? await readSourceVideo(idOf(video), videoFile.path, signal) : undefined
    if (adoptedVideo) sources.videos.push(adoptedVideo)
    const duration = stated ?? adoptedVideo?.duration ?? 0
    const statistics = { segments: 0, duration, fps: 0, frames: 0, rows: 0 }
    const meta: SourceRecord['meta'] = about ? { title: about.title, genre: about.genre, year: about.year } : {}
    const name = adoptedVideo?.name ?? basename(video)
    const absent = !adoptedVideo && { absent: true as const }
    sources.records.push({ video_id: idOf(video), video: name, ...absent, segments: [], statistics, meta, rows: [] })
  }
  return sources
}

// A video is called as its file; by its whole path where files of several folders are called the same.
function assignIds(videos: readonly string[]): (video: string) => string {
  const alike = groupBy([...new Set(videos)], removeExtension)
  return video => {
    const whole = video.slice(0, video.length - extname(video).length)
    return (alike.get(removeExtension(video))?.length ?? 0) > 1 ? whole.replaceAll('/', '_') : removeExtension(video)
  }
}

function removeExtension(video: string): string {
  return basename(video, extname(video))
}
