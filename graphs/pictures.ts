import { UsageError } from '../src/core/errors.ts'
import { decodeFrames } from '../src/core/sight/view-frames.ts'
import type { ToolContext } from '../src/core/tool.ts'
import type { Frame } from '../src/core/video.ts'

// The pictures that a planner is shown in one run, by their moments. A run that goes on in another process decodes them again.
export interface Pictures {
  // Frames at these moments, or keyframes up to `near` seconds before them.
  look(context: ToolContext, times: readonly number[], near: number): Promise<Looked>
  load(context: ToolContext, times: readonly number[]): Promise<void>
  at(time: number): Uint8Array | undefined // the JPEG, once it was looked at or loaded
}

export interface Looked {
  times: number[] // of the frames that came up, each once
  failed: number[] // moments at which nothing can be decoded
}

export function openPictures(width: number): Pictures {
  const jpegs = new Map<number, Uint8Array>()
  const keep = async (context: ToolContext, frame: Frame) => {
    if (!context.jpeg) throw new UsageError('No pictures can be made for a planner here.')
    if (!jpegs.has(frame.time)) jpegs.set(frame.time, await context.jpeg(frame))
    return frame.time
  }
  return {
    async look(context, times, near) {
      const { frames, failed } = await decodeFrames(context, times, { width, near })
      const frameTimes = new Set<number>()
      for (const frame of frames) frameTimes.add(await keep(context, frame))
      return { times: [...frameTimes].sort((a, b) => a - b), failed }
    },
    async load(context, times) {
      const missing = times.filter(time => !jpegs.has(time))
      if (missing.length === 0) return
      const { frames } = await decodeFrames(context, missing, { width })
      for (const frame of frames) await keep(context, frame)
    },
    at: time => jpegs.get(time),
  }
}
