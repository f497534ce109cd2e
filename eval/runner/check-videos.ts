import { errorText } from '../../src/core/errors.ts'
import { formatTime } from '../../src/core/time.ts'
import type { Video } from '../../src/core/video.ts'
import { contentId } from '../../src/media/file/content-id.ts'
import type { Trust } from '../../src/media/file/file-look.ts'
import { localFile } from '../../src/media/file/local-file.ts'
import { decodeFrames } from '../../src/media/frames.ts'
import { probe } from '../../src/media/probe/probe.ts'
import { recognise } from '../../src/runtime/index/content/identify.ts'
import { chooseTrust } from '../../src/runtime/index/plan-stages.ts'
import type { Library } from '../../src/store/library/library.ts'
import { isBlind } from '../protocols/show.ts'
import type { BenchParts } from './bench-parts.ts'
import type { VideoLook } from './cost/shown-cost.ts'
import { checkBeforeRun, type Preflight } from './preflight.ts'

// Looks into every video of the run, before anything is spent.
export function checkVideos(parts: BenchParts, onVideo: (done: number, total: number) => void): Promise<Preflight> {
  const { collected, find, findSubtitles, runtime, settings } = parts
  const { signal } = parts.world
  const examine = async (path: string) => {
    const { look, ...examined } = await examineVideo(runtime.library, path, chooseTrust(settings.index), signal)
    parts.looks.set(path, look)
    return examined
  }
  return checkBeforeRun({ ...collected, find, findSubtitles, ...(!isBlind(parts) && { examine }), onVideo, signal })
}

const late = 10 // seconds that the last picture may come before the end

// Whether a video can be read in the middle and at its end, not only at its head. Writes nothing; throws where it is not a video.
async function examineVideo(
  library: Library,
  path: string,
  trust: Trust,
  signal: AbortSignal,
): Promise<{ duration: number; content: string; faults: string[]; look: VideoLook }> {
  const file = await localFile(path)
  const content = await contentId(file.path, file.bytes)
  const id = await recognise(library, file, { trust, watch: () => {}, signal })
  const knownVideo = id === undefined ? undefined : await library.find(id)
  const video = knownVideo ? { ...knownVideo, path: file.path } : await probe(path)
  const { width, height, frameRate } = video.picture ?? {}
  const look = { seconds: video.duration, width, height, framesPerSecond: frameRate }
  if (!video.picture) return { duration: video.duration, content, faults: [], look }
  const end = Math.max(0, video.duration - 1)
  const faults = new Set<string | undefined>()
  for (const time of new Set([video.duration / 2, end])) faults.add(await faultAt(video, time, signal))
  return { duration: video.duration, content, faults: [...faults].filter(fault => fault !== undefined), look }
}

async function faultAt(video: Video, time: number, signal: AbortSignal): Promise<string | undefined> {
  try {
    const [frame] = await decodeFrames(video, [time], { width: 64 }, signal)
    const end = frame?.time ?? 0
    if (end < time - late) return `The picture ends at ${formatTime(end)} of ${formatTime(video.duration)}.`
  } catch (error) {
    signal.throwIfAborted()
    return errorText(error)
  }
}
