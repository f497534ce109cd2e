import type { Video } from '../../../src/core/video.ts'
import { decodeFrames } from '../../../src/media/frames.ts'
import { encodeJpeg } from '../../../src/media/image.ts'
import type { JudgeSight } from '../../protocols/judge/protocol.ts'

export const agentWidth = 512 // of the frames that a judge of the agent's answers sees

// What a judge sees of a video.
export function judgeSight(
  video: Video,
  { width, subtitles, signal }: { width: number; subtitles?: string; signal?: AbortSignal },
): JudgeSight {
  return {
    framesPerSecond: video.picture?.frameRate ?? 25,
    frames: async times =>
      Promise.all((await decodeFrames(video, times, { width }, signal)).map(frame => encodeJpeg(frame))),
    subtitles,
  }
}
