import { stat } from 'node:fs/promises'
import { z } from 'zod'
import { errorText, LongtakeError, UsageError } from '../../../src/core/errors.ts'
import { probe } from '../../../src/media/probe/probe.ts'
import { fileChecksum } from '../../../src/store/models/model-pins.ts'
import { parseStoredJson, readTextFile } from '../../../src/store/read-file.ts'
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

// By the names that the data give their videos: two folders may hold videos of one file name.
const Lock = z.object({ format: z.literal(1), benchmark: z.string(), videos: z.record(z.string(), Copy) })
type VideoLock = z.infer<typeof Lock>

// video_meta_info.json of CG-Bench, by the ids of its makers.
const Published = z.record(
  z.string(),
  z.object({ duration: z.number(), fps: z.number(), max_frame: z.number().optional() }),
)

interface LockWork {
  onVideo(done: number, total: number): void
  signal: AbortSignal
}

export async function lockVideos(
  benchmark: string,
  videos: readonly WantedVideo[],
  { onVideo, signal }: LockWork,
): Promise<{ lock: VideoLock; broken: VerifiedVideo[] }> {
  const here = videos.filter(one => one.path !== undefined)
  const lock: VideoLock = { format: 1, benchmark, videos: {} }
  const broken: VerifiedVideo[] = []
  for (const [at, { id, video, path = '' }] of here.entries()) {
    const looked = await lookedAt(path)
    if ('fault' in looked) broken.push({ id, video, state: 'broken', detail: looked.fault })
    else lock.videos[video] = { ...(await fileChecksum(path, signal)), ...looked }
    onVideo(at + 1, here.length)
  }
  return { lock, broken }
}

// broken: it cannot be read; equal: the same bytes; same: as long and as fast, so times mean the same; other: another copy, whose clue times are doubtful.
interface VerifiedVideo {
  id: string
  video: string // as the data name it
  state: 'equal' | 'same' | 'other' | 'missing' | 'unknown' | 'broken'
  detail?: string
}

type KnownCopy = (video: WantedVideo) => Copy | undefined

export async function readLock(file: string): Promise<KnownCopy> {
  const value = parseStoredJson(await readTextFile(file))
  const parsedLock = Lock.safeParse(value)
  if (parsedLock.success) return ({ video }) => ownValue(parsedLock.data.videos, video)
  const published = Published.safeParse(value)
  if (!published.success)
    throw new UsageError(`${file} must be a list of video copies.`, {
      hint: 'Name a file that "longtake bench videos --lock" wrote, or video_meta_info.json of CG-Bench.',
    })
  return ({ id }) => {
    const publishedEntry = ownValue(published.data, id)
    return (
      publishedEntry && { duration: publishedEntry.duration, fps: publishedEntry.fps, frames: publishedEntry.max_frame }
    )
  }
}

function ownValue<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

export async function verifyVideos(
  videos: readonly WantedVideo[],
  known: KnownCopy,
  { onVideo, signal }: LockWork,
): Promise<VerifiedVideo[]> {
  const verified: VerifiedVideo[] = []
  for (const video of videos) {
    verified.push({ id: video.id, video: video.video, ...(await verify(video, known(video), signal)) })
    onVideo(verified.length, videos.length)
  }
  return verified
}

async function verify(
  { path }: WantedVideo,
  copy: Copy | undefined,
  signal: AbortSignal,
): Promise<Omit<VerifiedVideo, 'id' | 'video'>> {
  if (path === undefined) return { state: 'missing' }
  if (copy === undefined) return { state: 'unknown', detail: 'the list does not name it' }
  const isAsLarge = copy.bytes !== undefined && (await stat(path)).size === copy.bytes
  if (isAsLarge && copy.sha256 !== undefined && (await fileChecksum(path, signal)).sha256 === copy.sha256)
    return { state: 'equal' }
  const looked = await lookedAt(path)
  if ('fault' in looked) return { state: 'broken', detail: looked.fault }
  const differences = listDifferences(looked, copy)
  return differences.length === 0 ? { state: 'same' } : { state: 'other', detail: differences.join('; ') }
}

// Within a second in length and one per cent in rate it is the same video.
function listDifferences(found: Copy, known: Copy): string[] {
  const [fps = 0, rate = fps] = [found.fps, known.fps]
  return [
    ...(Math.abs(found.duration - known.duration) > 1
      ? [`it lasts ${found.duration.toFixed(1)} s, not ${known.duration.toFixed(1)} s`]
      : []),
    ...(Math.abs(fps - rate) > rate / 100 ? [`it has ${fps.toFixed(2)} frames a second, not ${rate.toFixed(2)}`] : []),
  ]
}

// One video that cannot be read is not the end of a list.
async function lookedAt(path: string): Promise<Copy | { fault: string }> {
  try {
    const { duration, picture } = await probe(path)
    const fps = picture?.frameRate
    return { duration, ...(fps !== undefined && { fps, frames: Math.round(duration * fps) }) }
  } catch (error) {
    if (!(error instanceof LongtakeError)) throw error
    return { fault: errorText(error) }
  }
}
