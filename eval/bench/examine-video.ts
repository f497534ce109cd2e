import { recognise } from '../../src/app/index/content/identify.ts'
import { errorText } from '../../src/core/errors.ts'
import { formatTime } from '../../src/core/time.ts'
import type { Video } from '../../src/core/video.ts'
import type { Trust } from '../../src/media/file/file-look.ts'
import { localFile } from '../../src/media/file/local-file.ts'
import { framesAt } from '../../src/media/frames.ts'
import { probe } from '../../src/media/probe/probe.ts'
import type { Library } from '../../src/store/library/library.ts'

const late = 10 // seconds that the last picture may come before the end

// Whether a video can be read in the middle and at its end, not only at its head. Writes nothing; throws where it is not a video.
export async function examineVideo(
  library: Library,
  path: string,
  trust: Trust,
  signal: AbortSignal,
): Promise<{ duration: number; faults: string[] }> {
  const file = await localFile(path)
  const id = await recognise(library, file, { trust, watch: () => {}, signal })
  const known = id === undefined ? undefined : await library.find(id)
  const video = known ? { ...known, path: file.path } : await probe(path)
  if (!video.picture) return { duration: video.duration, faults: [] }
  const end = Math.max(0, video.duration - 1)
  const faults = [await faultAt(video, video.duration / 2, signal), await faultAt(video, end, signal)]
  return { duration: video.duration, faults: [...new Set(faults.filter(fault => fault !== undefined))] }
}

async function faultAt(video: Video, time: number, signal: AbortSignal): Promise<string | undefined> {
  try {
    const [frame] = await framesAt(video, [time], { width: 64 }, signal)
    const end = frame?.time ?? 0
    if (end < time - late) return `The picture ends at ${formatTime(end)} of ${formatTime(video.duration)}.`
  } catch (error) {
    signal.throwIfAborted()
    return errorText(error)
  }
}
