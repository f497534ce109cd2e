import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import type { AskedBy } from '../data/asked-by.ts'
import type { Sample } from '../data/sample.ts'
import type { Native } from './frames.ts'

// What a model alone is shown, in one set of options for all frame protocols.

// A number, 0 for none, a rate as "1fps", or all frames.
type Frames = number | string

// The settings that every benchmark has; those that are left out are the protocol's own. "usual" is what leaving one out means:
// typed, it is not another run.
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
      .meta({ usual: 'low' })
      .describe('low (default): the longer edge up to 512; high: up to 2048, and the shorter up to 768'),
    sampling: z
      .enum(['uniform', 'keyframes', 'shots'])
      .optional()
      .meta({ usual: 'uniform' })
      .describe(
        "uniform: the protocol's own (default); keyframes: coded key frames; shots: the middle of each shot; evenly among them if there are more",
      ),
    metadata: z
      .enum(['off', 'also', 'only'])
      .optional()
      .meta({ usual: 'off' })
      .describe('title, genre, year, season and episode of the video: not said (default), said too, or nothing else'),
    titles: z
      .string()
      .optional()
      .describe('a JSON file {video: {title, genre, year, season, episode}}, else about.json'),
    clues: z
      .enum(['off', 'only', 'given'])
      .optional()
      .meta({ usual: 'off' })
      .describe(
        'only: the parts of the video with the clues, one after another; given: where they lie is said in words',
      ),
    video: z
      .enum(['off', 'whole', 'clip', 'fit'])
      .optional()
      .meta({ usual: 'off' })
      .describe(
        'the video itself in place of frames: whole; clip: the parts with the clues; fit: made smaller where it has more than mostBytes',
      ),
    mostBytes: z.number().int().positive().optional().describe(`limit on a video that is sent; default ${mostBytes}`),
    audio: z
      .enum(['off', 'whole'])
      .optional()
      .meta({ usual: 'off' })
      .describe('the sound too, mono and 16 kHz, in pieces'),
    mostAudioSeconds: z.number().int().positive().optional().describe(`length of such a piece; default ${mostSeconds}`),
  }
}

// Limits of ours: no source fixes them. Hosted servers refuse requests of more than about 20 MB.
export const mostBytes = 20_000_000
export const mostSeconds = 300

// What options ask for without naming it: metadata without frames shows nothing else, a video stands in place of frames. Among the
// settings of the benchmark, with their defaults.
export function impliedOptions(
  given: readonly string[],
  settings: Record<string, { default?: unknown } | undefined>,
): string[] {
  const has = (name: string) => given.some(one => one.startsWith(`${name}=`))
  if (given.includes('metadata=only')) {
    const implied = ['frames=0', ...('subtitles' in settings ? ['subtitles=off'] : [])]
    return withImplied(given, implied, /^(?:frames|subtitles|video|audio)=/, 'metadata=only', 'Give metadata=also')
  }
  const video = given.find(one => /^video=(?:whole|clip|fit)$/.test(one))
  if (video === undefined) return [...given]
  const implied = ['frames=0', ...(video === 'video=clip' ? ['clues=only'] : [])]
  const usual = 'subtitlesAt' in settings && !has('subtitlesAt') ? settings.frames?.default : undefined
  const counted = usual === undefined ? [] : [`subtitlesAt=${String(usual)}`]
  const instead = 'Subtitles at so many frames: subtitlesAt=N'
  return withImplied(
    given,
    [...implied, ...counted],
    video === 'video=clip' ? /^(?:frames|clues)=/ : /^frames=/,
    video,
    instead,
  )
}

function withImplied(
  given: readonly string[],
  implied: string[],
  taken: RegExp,
  by: string,
  instead: string,
): string[] {
  const other = given.find(one => taken.test(one) && !implied.includes(one) && !one.endsWith('=off'))
  if (other !== undefined)
    throw new UsageError(`--option ${other} shows what ${by} leaves out.`, {
      hint: `${instead}, or leave the other option out.`,
    })
  return [...given.filter(one => !implied.includes(one)), ...implied]
}

export const subtitlesAtSetting = z
  .number()
  .int()
  .positive()
  .optional()
  .describe('so many frames count for the subtitles "at frames", where others or none are shown')

interface ShownFrames {
  frames: Frames
  mostFrames?: number
}

// The seconds that are shown: among the given moments, if there are any, else by the protocol.
export function sampledTimes(
  options: ShownFrames,
  media: { duration: number; lastFrame: number; moments?: readonly number[] },
  uniform: (count: number) => number[],
): number[] {
  const count = frameCount(options, media)
  const { moments } = media
  if (count === 0) return []
  if (!moments) return uniform(count)
  const shownCount = Math.min(count, moments.length)
  return Array.from(
    { length: shownCount },
    (_, i) => moments[Math.floor(((i + 0.5) * moments.length) / shownCount)] ?? 0,
  )
}

export function frameCount(
  { frames, mostFrames = Number.POSITIVE_INFINITY }: ShownFrames,
  { duration, lastFrame }: { duration: number; lastFrame: number },
): number {
  if (typeof frames === 'number') return frames
  const all = lastFrame + 1
  const wantedFrames = frames === 'all' ? all : Math.round(duration * Number.parseFloat(frames))
  return Math.max(1, Math.min(wantedFrames, all, mostFrames))
}

// Nothing of the video is shown, so that none has to be there.
export function isBlind({ by, options }: { by: AskedBy; options: Record<string, unknown> }): boolean {
  return by === 'alone' && options.frames === 0 && readNative(options) === undefined
}

export function readNative({ video, audio }: Record<string, unknown>): Native | undefined {
  if (video !== undefined && video !== 'off') return 'video'
  return audio === 'whole' ? 'sound' : undefined
}

// Stands before a question that is asked without a picture.
export const blindText =
  'No picture and no sound of the video is given. Choose or say what is most likely all the same: there is always an answer.'

// The text after the frames; without frames it says so, unless the video itself is there.
export function saidBlind(text: string, frames: number, native?: Native): string {
  return frames === 0 && !native ? `${blindText}\n\n${text}` : text
}

// The agent looks for itself: what a model alone is shown says nothing about it, and must not seem to.
export function checkShown(by: AskedBy, options: Record<string, unknown>): void {
  const named = ['picture', 'sampling', 'metadata', 'clues', 'video', 'audio', 'variant'].find(
    one => options[one] !== undefined && !(one === 'clues' && options[one] === 'only'),
  )
  const name = named ?? (options.frames === 0 ? 'frames=0' : undefined)
  if (by === 'alone' || name === undefined) return
  throw new UsageError(`--option ${name} sets what a model without the agent is shown; this run has an index.`, {
    hint: 'Add --by alone, or leave the option out.',
  })
}

// Moments for the subtitles of a video that nobody looks at are taken from the length that the data state.
export function checkBlind(samples: readonly Sample[], { subtitles, subtitlesAt }: Record<string, unknown>): void {
  if (subtitlesAt === undefined || (subtitles !== true && subtitles !== 'at frames')) return
  const unknown = samples.find(sample => sample.subtitles !== undefined && sample.stated === undefined)
  if (unknown)
    throw new UsageError(
      `The data do not say how long ${unknown.video} is, so --option subtitlesAt=${String(subtitlesAt)} names no moments in it.`,
      { hint: 'Give --option subtitles=whole, or show frames.' },
    )
}

// Who is told or shown where the clues lie has nothing to find.
export function isTold({ answer }: { answer: string }, { clues }: Record<string, unknown>): boolean {
  return answer === 'intervals' && (clues === 'given' || clues === 'only')
}
