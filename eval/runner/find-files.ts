import { stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { contentId } from '../../src/media/file/content-id.ts'
import { filesBelow } from '../../src/store/files-below.ts'
import type { BenchWorld } from '../bench-world.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import { findVideoRoot, type VideoFile, videoExtensions, videoFinder } from '../data/find-videos.ts'
import { withPacked } from '../data/packed-files.ts'
import { withPictureFolders } from '../data/picture-folders.ts'
import type { Sample } from '../data/sample.ts'
import { withClips } from '../protocols/clue-clips.ts'
import { subtitleNames } from '../protocols/subtitles.ts'
import { buildAsks } from './ask/asks-of-sample.ts'
import type { BenchRequest } from './bench-request.ts'

export interface Finders {
  find(video: string): VideoFile
  findSubtitles(name: string): VideoFile
}

// Where the videos, clips and subtitles of these samples lie: as files, or in archives as they were fetched.
export async function findBenchFiles(
  request: Pick<BenchRequest, 'data' | 'videos' | 'tasks' | 'by' | 'dryRun' | 'copies'>,
  benchmark: Benchmark,
  samples: readonly Sample[],
  { blind, looksBeside }: { blind: boolean; looksBeside: boolean }, // for subtitles that the data do not name
  { home, say, signal }: Pick<BenchWorld, 'home' | 'say' | 'signal'>,
): Promise<Finders> {
  const { data, videos, tasks, by, dryRun, copies } = request
  const askedTasks = new Set(tasks.length > 0 ? tasks : benchmark.tasks.map(task => task.name))
  const videoNames = samples.map(({ video, cut }) => cut?.video ?? video)
  const clips = samples.flatMap(sample => {
    const asks = buildAsks(benchmark, sample, askedTasks, by).map(ask => ask.video)
    return [sample.video, ...asks].filter(name => name !== (sample.cut?.video ?? sample.video))
  })
  const names = blind ? [] : [...videoNames, ...clips]
  const folder = unpackedIn(home)
  const root = await findVideoRoot(data, videos)
  const named = await videoFinder(data, videos)
  const unpacked = await withPacked({
    names,
    find: clipsAsNamed(new Set(clips), copies ? await findCopies(copies, names, named, root) : named),
    roots: [root],
    folder,
    dryRun,
    say,
    signal,
  })
  const pictures = join(home, 'benchmarks', 'pictures')
  const find = await withPictureFolders({ names, find: unpacked, root, folder: pictures, dryRun, say, signal })
  const subtitles = samples.flatMap(({ video, subtitles, cut }) => {
    const named = cut ? cut.subtitles : subtitles
    return named ?? (looksBeside ? subtitleNames(cut?.video ?? video) : [])
  })
  const beside = await findVideoRoot(data)
  const findSubtitles = await withPacked({
    names: subtitles,
    find: beside === root ? find : either(find, await videoFinder(data)),
    roots: [...new Set([root, beside])],
    folder,
    dryRun,
    say,
    signal,
  })
  // Without pictures a video is a name, whether its file is there or not.
  return { find: blind ? name => ({ path: name }) : find, findSubtitles }
}

export const unpackedIn = (home: string) => join(home, 'benchmarks', 'unpacked') // what came in archives

// The same with the clips of clues that are cut here.
export async function withCutClips(
  samples: readonly Sample[],
  files: Finders,
  { dryRun }: BenchRequest,
  { home, say, signal }: BenchWorld,
): Promise<Finders> {
  if (!samples.some(sample => sample.cut)) return files
  return withClips(samples, files, { folder: join(home, 'benchmarks', 'clips'), dryRun, say, signal })
}

// A clip lies in the folder that its name says and nowhere else: clips are called by numbers, and so may videos be.
function clipsAsNamed(clips: ReadonlySet<string>, find: Finders['find']): Finders['find'] {
  return name => {
    const foundFile = find(name)
    if (!clips.has(name) || 'fault' in foundFile || folderOf(foundFile.path) === folderOf(name)) return foundFile
    return { fault: `${name} must lie in a folder ${folderOf(name)}, and ${foundFile.path} does not.` }
  }
}

const folderOf = (path: string) => basename(dirname(path))

function either(first: (name: string) => VideoFile, second: (name: string) => VideoFile): (name: string) => VideoFile {
  return name => {
    const firstFile = first(name)
    return 'path' in firstFile ? firstFile : second(name)
  }
}

export function foundPath(file: VideoFile | undefined): string | undefined {
  return file && 'path' in file ? file.path : undefined
}

// Finds videos by what they hold: a file under the right name, or else one under any name below the folder with that content id.
async function findCopies(
  ids: Readonly<Record<string, string>>, // by the names in the data
  names: readonly string[],
  find: (name: string) => VideoFile,
  root: string,
): Promise<(name: string) => VideoFile> {
  const namesById = new Map<string, string[]>()
  for (const name of new Set(names)) {
    const id = Object.hasOwn(ids, name) ? ids[name] : undefined
    if (id === undefined) continue
    const file = find(name)
    if ('path' in file && (await readId(file.path)) === id) continue
    namesById.set(id, [...(namesById.get(id) ?? []), name])
  }
  const copies = new Map<string, VideoFile>()
  if (namesById.size === 0) return find
  for (const path of await filesBelow(root, 6)) {
    if (!videoExtensions.includes(extname(path).toLowerCase())) continue
    for (const name of namesById.get(await readId(path)) ?? []) copies.set(name, { path })
  }
  return name => copies.get(name) ?? find(name)
}

async function readId(path: string): Promise<string> {
  return contentId(path, (await stat(path)).size)
}
