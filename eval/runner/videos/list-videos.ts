import { basename, dirname, extname, join, relative, sep } from 'node:path'
import type { Watch } from '../../../src/core/agent.ts'
import { InterruptedError, LongtakeError, UsageError } from '../../../src/core/errors.ts'
import { fetchInto } from '../../../src/runtime/index/fetch-video.ts'
import type { BenchWorld } from '../../bench-world.ts'
import { loadBenchmark } from '../../benchmarks/index.ts'
import { findVideoRoot, videoFinder } from '../../data/find-videos.ts'
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

export async function listWantedVideos({ benchmark: name, data, videos, ...which }: VideoWish): Promise<WantedVideo[]> {
  const benchmark = await loadBenchmark(name)
  const { samples } = await collectSamples(benchmark, data, which)
  const find = await videoFinder(data, videos)
  const videoById = new Map<string, WantedVideo>()
  for (const { video, address, stated } of samples) {
    const earlier = videoById.get(video)
    if (earlier) earlier.questions++
    else {
      const file = find(video)
      const id = basename(video, extname(video))
      videoById.set(video, { id, video, questions: 1, stated, ...('path' in file && { path: file.path }), address })
    }
  }
  return [...videoById.values()]
}

// Fetches what is missing to where a run looks for it, one after another; a video that is gone does not stop the others.
export async function fetchMissing(
  wish: VideoWish,
  { config, environment, signal }: Pick<BenchWorld, 'config' | 'environment' | 'signal'>,
  watch: Watch,
): Promise<WantedVideo[]> {
  const listedVideos = await listWantedVideos(wish)
  const root = await findVideoRoot(wish.data, wish.videos)
  const fetchWork = { settings: config.settings.fetch, environment, watch, signal }
  for (const wantedVideo of listedVideos) {
    if (wantedVideo.path !== undefined || wantedVideo.address === undefined) continue
    if (leavesRoot(root, wantedVideo.video)) {
      wantedVideo.error = 'its name leads out of the folder'
      continue
    }
    try {
      wantedVideo.path = (
        await fetchInto(join(root, dirname(wantedVideo.video)), wantedVideo.id, wantedVideo.address, fetchWork)
      ).path
    } catch (error) {
      const ends = error instanceof UsageError || error instanceof InterruptedError || !(error instanceof LongtakeError)
      if (ends) throw error
      wantedVideo.error = error.message
    }
  }
  return listedVideos
}

// The data say where a video goes, and data are written by strangers.
export function leavesRoot(root: string, video: string): boolean {
  const relativePath = relative(root, join(root, video))
  return relativePath === '..' || relativePath.startsWith(`..${sep}`)
}
