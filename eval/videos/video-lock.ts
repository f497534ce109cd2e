import { stat } from 'node:fs/promises'
import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import { probe } from '../../src/media/probe/probe.ts'
import { fileChecksum } from '../../src/store/models/model-pins.ts'
import { jsonOf, readText } from '../../src/store/read-file.ts'
import type { WantedVideo } from './list-videos.ts'

// What a copy of a video is: no maker publishes hashes, so a lock says which copies a run was made on.
const Copy = z.object({
  bytes: z.number().optional(),
  sha256: z.string().optional(),
  duration: z.number(), // seconds
  fps: z.number().optional(), // on average
  frames: z.number().optional(), // by length and average rate
})
type Copy = z.infer<typeof Copy>

const Lock = z.object({ format: z.literal(1), benchmark: z.string(), videos: z.record(z.string(), Copy) })
export type VideoLock = z.infer<typeof Lock>

// video_meta_info.json of CG-Bench.
const Published = z.record(
  z.string(),
  z.object({ duration: z.number(), fps: z.number(), max_frame: z.number().optional() }),
)

export interface LockWork {
  onVideo(done: number, total: number): void
  signal: AbortSignal
}

export async function lockVideos(
  benchmark: string,
  videos: readonly WantedVideo[],
  { onVideo, signal }: LockWork,
): Promise<VideoLock> {
  const here = videos.filter(one => one.path !== undefined)
  const lock: VideoLock = { format: 1, benchmark, videos: {} }
  for (const [at, { id, path = '' }] of here.entries()) {
    const { bytes, sha256 } = await fileChecksum(path, signal)
    lock.videos[id] = { bytes, sha256, ...(await lookedAt(path)) }
    onVideo(at + 1, here.length)
  }
  return lock
}

// equal: the same bytes; same: as long and as fast, so times mean the same; other: another copy, whose clue times are doubtful.
export interface VerifiedVideo {
  id: string
  state: 'equal' | 'same' | 'other' | 'missing' | 'unknown'
  detail?: string
}

export async function readLock(file: string): Promise<Record<string, Copy>> {
  const value = jsonOf(await readText(file))
  const own = Lock.safeParse(value)
  if (own.success) return own.data.videos
  const published = Published.safeParse(value)
  if (!published.success)
    throw new UsageError(`${file} is no list of video copies.`, {
      hint: 'Name a file that "longtake bench videos --lock" wrote, or video_meta_info.json of CG-Bench.',
    })
  return Object.fromEntries(
    Object.entries(published.data).map(([id, { max_frame, ...one }]) => [id, { ...one, frames: max_frame }]),
  )
}

export async function verifyVideos(
  videos: readonly WantedVideo[],
  known: Record<string, Copy>,
  { onVideo, signal }: LockWork,
): Promise<VerifiedVideo[]> {
  const verified: VerifiedVideo[] = []
  for (const video of videos) {
    const copy = Object.hasOwn(known, video.id) ? known[video.id] : undefined
    verified.push({ id: video.id, ...(await verify(video, copy, signal)) })
    onVideo(verified.length, videos.length)
  }
  return verified
}

async function verify(
  { path }: WantedVideo,
  copy: Copy | undefined,
  signal: AbortSignal,
): Promise<Omit<VerifiedVideo, 'id'>> {
  if (path === undefined) return { state: 'missing' }
  if (copy === undefined) return { state: 'unknown', detail: 'the list does not name it' }
  const isAsLarge = copy.bytes !== undefined && (await stat(path)).size === copy.bytes
  if (isAsLarge && copy.sha256 !== undefined && (await fileChecksum(path, signal)).sha256 === copy.sha256)
    return { state: 'equal' }
  const differences = differencesOf(await lookedAt(path), copy)
  return differences.length === 0 ? { state: 'same' } : { state: 'other', detail: differences.join('; ') }
}

// Within a second in length and one per cent in rate it is the same video.
function differencesOf(found: Copy, known: Copy): string[] {
  const [fps = 0, rate = fps] = [found.fps, known.fps]
  return [
    ...(Math.abs(found.duration - known.duration) > 1
      ? [`it lasts ${found.duration.toFixed(1)} s, not ${known.duration.toFixed(1)} s`]
      : []),
    ...(Math.abs(fps - rate) > rate / 100 ? [`it has ${fps.toFixed(2)} frames a second, not ${rate.toFixed(2)}`] : []),
  ]
}

async function lookedAt(path: string): Promise<Copy> {
  const { duration, picture } = await probe(path)
  const fps = picture?.frameRate
  return { duration, ...(fps !== undefined && { fps, frames: Math.round(duration * fps) }) }
}
