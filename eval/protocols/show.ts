import { z } from 'zod'

// What a model alone is shown, in one set of options for all frame protocols.

// A number, 0 for none, a rate as "1fps", or all frames.
type Frames = number | string

export function framesSetting(usual: number, about = 'frames over the video') {
  return z
    .union([z.number().int().min(0), z.string().regex(/^\d+(?:\.\d+)?fps$/), z.literal('all')])
    .default(usual)
    .describe(`${about}; 0: none, so that no video is needed; a rate as 1fps; or all`)
}

export const mostFramesSetting = z
  .number()
  .int()
  .positive()
  .optional()
  .describe('limit on the frames, where they are a rate or all')

export const subtitlesAtSetting = z
  .number()
  .int()
  .positive()
  .optional()
  .describe('so many frames count for the subtitles "at frames", where others or none are shown')

interface Shown {
  frames: Frames
  mostFrames?: number
}

export function frameCount(
  { frames, mostFrames = Number.POSITIVE_INFINITY }: Shown,
  { duration, lastFrame }: { duration: number; lastFrame: number },
): number {
  if (typeof frames === 'number') return frames
  const all = lastFrame + 1
  const wanted = frames === 'all' ? all : Math.round(duration * Number.parseFloat(frames))
  return Math.max(1, Math.min(wanted, all, mostFrames))
}

// Nothing of the video is shown, so that none has to be there.
export function isBlind({ by, options }: { by: 'agent' | 'model'; options: Record<string, unknown> }): boolean {
  return by === 'model' && options.frames === 0
}

// Stands before a question that is asked without a picture.
export const blindText =
  'No picture and no sound of the video is given. Choose or say what is most likely all the same: there is always an answer.'

// The text after the frames; without frames it says so.
export function saidBlind(text: string, frames: number): string {
  return frames === 0 ? `${blindText}\n\n${text}` : text
}
