import type { Turn } from '../../src/core/agent.ts'
import type { Span } from '../../src/core/time.ts'
import type { Sample } from '../data/sample.ts'

// What of the video goes as it is, beside frames or in their place.
export type Native = 'video' | 'sound'

// A piece of what a model is shown: a picture by its second, or text.
export type ShownPart = { frame: number } | { text: string }

export interface FrameRequest {
  system?: string
  turns: { role: 'user' | 'assistant'; parts: ShownPart[] }[]
  temperature: number
  maxTokens: number
  about?: Span[] // the only parts whose picture and sound may go with it, where it is not about the whole video
}

// What a protocol goes by: the video as decoded, and the subtitles that the data give for it.
export interface FrameMedia {
  duration: number
  framesPerSecond: number
  lastFrame: number // index
  subtitles?: string // the file's text
  isClip?: boolean // these are only the clues of the question
  native?: Native // the video itself or its sound stands before the first text
  moments?: readonly number[] // the only seconds that frames are taken at, where they are not taken evenly
}

// A person's own wording of the prompts, beside the benchmark's settings.
export type Wordings = {
  wordingText?: string // of the judge's file, where it holds all prompts of the benchmark
  prompts?: Record<string, string> // by task
}

// How a benchmark asks a model that sees frames, without an agent: one request for each task of a sample. The options are the
// benchmark's settings with their defaults.
export interface FrameProtocol<Item = unknown, Options = Record<string, unknown>> {
  request(
    sample: Sample<Item>,
    task: string,
    media: FrameMedia,
    options: Options,
    own?: readonly Turn[], // the turns before with the model's own answers, where the options ask for them
  ): FrameRequest
  // The task whose request this one's is, word for word, under these options; itself where it is of its own.
  shares?(task: string, options: Options): string
  // What of the model's reply is the reply of the task; the whole text where it is left out.
  read?(reply: string, sample: Sample<Item>): string
  // Several questions of a video in one request, where the options ask for it; undefined for those without an answer.
  batch?: {
    wanted(options: Options): number | undefined // maximum of questions in one request
    request(samples: readonly Sample<Item>[], media: FrameMedia, options: Options): FrameRequest
    read(reply: string, samples: readonly Sample<Item>[]): (string | undefined)[]
  }
}

// Moments in the middle of equal parts, for protocols that say no more than "uniformly".
export function evenFrameTimes(duration: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => (duration * (i + 0.5)) / count)
}

export function showFrames(times: readonly number[], text: string): FrameRequest['turns'] {
  return [{ role: 'user', parts: [...times.map(frame => ({ frame })), { text }] }]
}
