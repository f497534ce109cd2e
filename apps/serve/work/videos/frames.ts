import type { Frame, Video } from '../../../../src/core/video.ts'
import { decodeFrames } from '../../../../src/media/frames.ts'
import { encodeJpeg } from '../../../../src/media/image.ts'
import { refuseChanged } from '../../../../src/runtime/index/content/guard.ts'
import { chooseTrust } from '../../../../src/runtime/index/plan-stages.ts'
import type { Workplace } from '../workplace.ts'

interface Picture extends Pick<Frame, 'time' | 'width' | 'height'> {
  jpeg: Uint8Array
}

// What is on screen at these seconds, decoded from the file as it was probed; `time` is when each frame came up.
export async function readPictures(
  { served, pictures }: Workplace,
  video: Video,
  times: readonly number[],
  width: number,
  signal: AbortSignal,
): Promise<Picture[]> {
  const { library, settings } = served.runtime
  const trust = chooseTrust(settings.index)
  await refuseChanged(video, library.videoFolder(video.id), { trust, watch: () => {}, signal })
  const shownWidth = Math.min(width, video.picture?.width ?? width)
  const frames = await pictures.run(() => decodeFrames(video, [...times], { width: shownWidth }, signal), signal)
  return Promise.all(
    frames.map(async frame => ({
      time: frame.time,
      width: frame.width,
      height: frame.height,
      jpeg: await encodeJpeg(frame),
    })),
  )
}
