import { join } from 'node:path'
import { BackendError, errorText, InputError } from '../../src/core/errors.ts'
import { contentHash } from '../../src/core/json.ts'
import { mergeSpans, type Span, spanLength } from '../../src/core/time.ts'
import type { Video } from '../../src/core/video.ts'
import { joinClips } from '../../src/media/playback/join-clips.ts'
import { probe } from '../../src/media/probe/probe.ts'
import { createFile } from '../../src/store/create-file.ts'
import { ensureFolder, removeFolder, writeWhole } from '../../src/store/durable.ts'
import { exists } from '../../src/store/read-file.ts'
import type { VideoFile } from '../data/find-videos.ts'
import type { Sample, SampleSource } from '../data/sample.ts'
import { clipSubtitles, shiftedSubtitles, subtitleText } from './subtitles.ts'

// What is asked about each sample, of which video or clip.
interface ClipAsks {
  asks(sample: Sample): { video: string }[]
}

// Samples that are asked only about the parts with their clues: the clip takes the place of the video.
export function onClips(asked: SampleSource & ClipAsks, { clues }: Record<string, unknown>): SampleSource {
  if (clues !== 'only') return asked
  return {
    samples: (record, place) => asked.samples(record, place).flatMap(sample => onClip(sample, asked)),
    leftOut: (record, place) => [
      ...(asked.leftOut?.(record, place) ?? []),
      ...asked.samples(record, place).flatMap(({ id, longId = id, clues = [] }) => {
        return clues.length > 0 ? [] : [{ id: longId, reason: 'the data do not say where its clues are' }]
      }),
    ],
  }
}

function onClip(sample: Sample, { asks }: ClipAsks): Sample[] {
  const { id, video, clues = [], subtitles } = sample
  if (clues.length === 0) return []
  const spans = mergeSpans(clues, 0)
  const clip = asks(sample).find(ask => ask.video !== video)?.video ?? `clips/${id}.mp4`
  return [
    {
      ...sample,
      video: clip,
      stated: spans.reduce((sum, span) => sum + spanLength(span), 0),
      clues: undefined,
      ...(subtitles !== undefined && { subtitles: clipSubtitles(clip) }),
      cut: { video, spans, ...(subtitles !== undefined && { subtitles }) },
    },
  ]
}

interface Finding {
  find(name: string): VideoFile
  findSubtitles(name: string): VideoFile
}

interface CutWork {
  folder: string // where clips are kept, by what they are cut from
  dryRun?: boolean // cuts nothing
  say(line: string): void
  signal: AbortSignal
}

// Finds the clips too: as files of the data where they are there, else cut from the videos.
export async function withClips(samples: readonly Sample[], files: Finding, work: CutWork): Promise<Finding> {
  const clips = new Map<string, VideoFile>()
  const texts = new Map<string, VideoFile>()
  const due = samples.filter(({ cut, video }) => cut && 'fault' in files.find(video))
  if (due.length > 0 && !work.dryRun) work.say(`The clips of ${due.length} questions are cut from their videos.`)
  for (const { video, subtitles, cut } of samples) {
    if (!cut) continue
    work.signal.throwIfAborted()
    if ('fault' in files.find(video)) clips.set(video, await cutFound(cut, files.find(cut.video), work))
    const subtitleFile = cut.subtitles === undefined ? undefined : files.findSubtitles(cut.subtitles)
    if (subtitles !== undefined && subtitleFile)
      texts.set(
        subtitles,
        'path' in subtitleFile ? await shiftedFile(subtitleFile.path, cut.spans, work) : subtitleFile,
      )
  }
  return {
    find: name => clips.get(name) ?? files.find(name),
    findSubtitles: name => texts.get(name) ?? files.findSubtitles(name),
  }
}

async function cutFound(
  { video, spans }: NonNullable<Sample['cut']>,
  found: VideoFile,
  work: CutWork,
): Promise<VideoFile> {
  if ('fault' in found) return found
  if (work.dryRun) return { fault: `It is cut from ${video} when the run begins.`, packed: true }
  try {
    const video = await probe(found.path)
    return { path: await cutClip({ id: video.id, open: async () => video }, spans, work) }
  } catch (error) {
    if (!(error instanceof BackendError || error instanceof InputError)) throw error
    return { fault: `It cannot be cut from ${video}: ${errorText(error)}` }
  }
}

const keyOf = (id: string, spans: readonly Span[]) => contentHash(['clip 1', id, spans]).slice(0, 24)

export const keptClip = (id: string, spans: readonly Span[], folder: string) => join(folder, `${keyOf(id, spans)}.mp4`)

// The clip of these spans, cut once and kept: only to cut it the video is opened.
export async function cutClip(
  { id, open }: { id: string; open(): Promise<Video> },
  spans: readonly Span[],
  { folder, signal }: Pick<CutWork, 'folder' | 'signal'>,
): Promise<string> {
  const key = keyOf(id, spans)
  const file = keptClip(id, spans, folder)
  if (await exists(file)) return file
  const video = await open()
  const height = video.picture?.height ?? 720
  const pieces = join(folder, `${key}-${process.pid}`)
  await ensureFolder(pieces)
  try {
    await createFile(file, made => joinClips({ video, spans, height, folder: pieces, signal }, made))
  } finally {
    await removeFolder(pieces)
  }
  return file
}

// What is said in the spans, by the clock of their clip.
async function shiftedFile(path: string, spans: readonly Span[], { folder }: CutWork): Promise<VideoFile> {
  const text = await subtitleText(path)
  const file = join(folder, `${contentHash(['subtitles 1', text, spans]).slice(0, 24)}.srt`)
  if (!(await exists(file))) {
    await ensureFolder(folder)
    await writeWhole(file, shiftedSubtitles(text, spans))
  }
  return { path: file }
}
