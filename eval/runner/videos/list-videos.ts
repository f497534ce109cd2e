import { basename, dirname, extname, join, relative, sep } from 'node:path'
import { fetchInto } from '../../../src/app/index/fetch-video.ts'
import type { Watch } from '../../../src/core/agent.ts'
import { InterruptedError, LongtakeError, UsageError } from '../../../src/core/errors.ts'
import type { BenchWorld } from '../../bench-world.ts'
import { loadBenchmark } from '../../benchmarks/index.ts'
import { rootOf, videoFinder } from '../../data/find-videos.ts'
import type { BenchRequest } from '../bench-request.ts'
import { collectSamples } from '../collect-samples.ts'

// A video that a benchmark asks about.
export interface WantedVideo {
  id: string // as its makers and sites name it
  video: string // as the data name it
  questions: number
  stated?: number // seconds that it lasts, as the data say
  path?: string // where it lies
  address?: string // where the data say that it came from
  error?: string // why it could not be fetched
}

export type VideoWish = Pick<BenchRequest, 'benchmark' | 'data' | 'videos' | 'split' | 'limit' | 'map'>

export async function listVideos({ benchmark: name, data, videos, ...which }: VideoWish): Promise<WantedVideo[]> {
  const benchmark = await loadBenchmark(name)
  const { samples } = await collectSamples(benchmark, data, which)
  const find = await videoFinder(data, videos)
  const wanted = new Map<string, WantedVideo>()
  for (const { video, address, stated } of samples) {
    const known = wanted.get(video)
    if (known) known.questions++
    else {
      const found = find(video)
      const id = basename(video, extname(video))
      wanted.set(video, { id, video, questions: 1, stated, ...('path' in found && { path: found.path }), address })
    }
  }
  return [...wanted.values()]
}

// Fetches what is missing to where a run looks for it, one after another; a video that is gone does not stop the others.
export async function fetchMissing(
  wish: VideoWish,
  { config, environment, signal }: Pick<BenchWorld, 'config' | 'environment' | 'signal'>,
  watch: Watch,
): Promise<WantedVideo[]> {
  const wanted = await listVideos(wish)
  const root = await rootOf(wish.data, wish.videos)
  const work = { settings: config.settings.fetch, environment, watch, signal }
  for (const one of wanted) {
    if (one.path !== undefined || one.address === undefined) continue
    if (leavesRoot(root, one.video)) {
      one.error = 'its name leads out of the folder'
      continue
    }
    try {
      one.path = (await fetchInto(join(root, dirname(one.video)), one.id, one.address, work)).path
    } catch (error) {
      const ends = error instanceof UsageError || error instanceof InterruptedError || !(error instanceof LongtakeError)
      if (ends) throw error
      one.error = error.message
    }
  }
  return wanted
}

// The data say where a video goes, and data are written by strangers.
export function leavesRoot(root: string, video: string): boolean {
  const place = relative(root, join(root, video))
  return place === '..' || place.startsWith(`..${sep}`)
}
