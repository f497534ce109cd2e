import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'

// What a model alone is shown, in one set of options for all frame protocols.

// A number, 0 for none, a rate as "1fps", or all frames.
type Frames = number | string

// The settings that every benchmark has; those that are left out are the protocol's own.
export function shownSettings(usual: number, about = 'frames over the video') {
  return {
    frames: z
      .union([z.number().int().min(0), z.string().regex(/^\d+(?:\.\d+)?fps$/), z.literal('all')])
      .default(usual)
      .describe(`${about}; 0: none, so that no video is needed; a rate as 1fps; or all`),
    mostFrames: z.number().int().positive().optional().describe('limit on the frames, where they are a rate or all'),
    picture: z
      .enum(['low', 'high'])
      .optional()
      .describe('low (default): the longer edge up to 512; high: up to 2048, and the shorter up to 768'),
    sampling: z
      .enum(['uniform', 'keyframes'])
      .optional()
      .describe(
        "uniform: the protocol's own (default); keyframes: coded key frames, evenly among them if there are more",
      ),
    metadata: z
      .enum(['off', 'also', 'only'])
      .optional()
      .describe('title, genre, year, season and episode of the video: not said (default), said too, or nothing else'),
    titles: z
      .string()
      .optional()
      .describe('a JSON file {video: {title, genre, year, season, episode}}, else about.json'),
    clues: z.enum(['off', 'given']).optional().describe('given: where the clues lie is said in words'),
  }
}

// What options ask for without naming it: a question with metadata alone shows nothing else.
export function impliedOptions(given: readonly string[], names: readonly string[]): string[] {
  if (!given.includes('metadata=only')) return [...given]
  const implied = ['frames=0', ...(names.includes('subtitles') ? ['subtitles=off'] : [])]
  const other = given.find(one => /^(?:frames|subtitles)=/.test(one) && !implied.includes(one))
  if (other !== undefined)
    throw new UsageError(`--option ${other} shows what metadata=only leaves out.`, {
      hint: 'Give metadata=also, or leave the other option out.',
    })
  return [...given.filter(one => !implied.includes(one)), ...implied]
}

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

// The seconds that are shown: among the given moments, where there are any, else by the protocol.
export function sampledTimes(
  options: Shown,
  media: { duration: number; lastFrame: number; moments?: readonly number[] },
  uniform: (count: number) => number[],
): number[] {
  const count = frameCount(options, media)
  const { moments } = media
  if (count === 0) return []
  if (!moments) return uniform(count)
  const taken = Math.min(count, moments.length)
  return Array.from({ length: taken }, (_, i) => moments[Math.floor(((i + 0.5) * moments.length) / taken)] ?? 0)
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

// The agent looks for itself: what a model alone is shown says nothing about it, and must not seem to.
export function checkShown(by: 'agent' | 'model', options: Record<string, unknown>): void {
  const name = ['picture', 'sampling', 'metadata', 'clues'].find(one => options[one] !== undefined)
  if (by === 'model' || name === undefined) return
  throw new UsageError(`--option ${name} says what a model alone is shown; the agent is asked here.`, {
    hint: 'Add --by model, or leave the option out.',
  })
}
