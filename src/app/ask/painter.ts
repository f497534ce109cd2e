import { contentHash } from '../../core/json.ts'
import type { ToolContext } from '../../core/tool.ts'
import type { VideoIndex } from '../../core/video.ts'

const kept = 96 // painted pictures of one question: each round shows the last ones again

// Paints the pictures of one question, from the kept frames of the index or from the file.
export function painter(index: VideoIndex, signal: AbortSignal): NonNullable<ToolContext['paint']> {
  const painted = new Map<string, Promise<Uint8Array>>()
  return (picture, frames) => {
    const key = contentHash(picture)
    const made =
      painted.get(key) ??
      (async () => {
        const { paintPicture } = await import('../../media/sheet/paint.ts')
        const { decodeFrames: framesAt } = await import('../../media/frames.ts')
        return paintPicture(picture, {
          still: time => index.still(index.stills.findIndex(still => still.time === time)),
          frames: async (times, width) => frames ?? framesAt(index.video, times, { width }, signal),
        })
      })()
    painted.delete(key)
    painted.set(key, made) // the last that was asked for stays longest
    made.catch(() => painted.delete(key))
    const [oldest] = painted.keys()
    if (painted.size > kept && oldest !== undefined) painted.delete(oldest)
    return made
  }
}
