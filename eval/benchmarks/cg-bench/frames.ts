import { z } from 'zod'
import { type Interval, totalLength } from '../../metrics/intervals.ts'
import { toEven } from '../../metrics/rounding.ts'
import { parseCues } from '../cues.ts'
import { type FrameProtocol, shown, type Wordings } from '../frames.ts'
import { ownWording, type PromptTask, promptText, readWording } from './prompt.ts'
import type { CgBenchRecord } from './record.ts'
import { subtitleLines } from './subtitles.ts'

export const settings = z.object({
  frames: z.number().int().positive().default(128).describe('frames over the whole video; at most 32 of the clues'),
  subtitles: z.boolean().default(true).describe('S: what is said at the frames'),
  subtitleTimes: z.boolean().default(true).describe('ST: the times of those lines'),
  frameTimes: z.boolean().default(true).describe('FT: the times of the frames'),
  markup: z.enum(['as released', 'plain']).default('plain').describe('subtitle markup: {\\i1} as released, or none'),
  wording: z.string().optional().describe('a JSON file with the wording of the prompts'),
})
export type Settings = z.infer<typeof settings>

// The clue tasks never show more than this many frames.
export const maxClueFrames = 32

// All pictures first, then one text: system text, subtitles at the frames, their times, question, options.
export const frames: FrameProtocol<CgBenchRecord, Settings & Wordings> = {
  request({ record }, task, { framesPerSecond, lastFrame, subtitles }, options) {
    const { frames: count, subtitleTimes: times, markup, wordingText } = options
    const indices =
      task === 'clue_acc'
        ? framesOfClues(record.clue_intervals, Math.min(count, maxClueFrames), framesPerSecond)
        : framesOverall(lastFrame, count)
    const isOn = options.subtitles && subtitles !== undefined
    const text = {
      ...(isOn && { subtitles: subtitleLines(parseCues(subtitles), indices, framesPerSecond, { times, markup }) }),
      ...(options.frameTimes && { frames: { indices, framesPerSecond } }),
    }
    const name = task as PromptTask
    const wording = wordingText === undefined ? ownWording : readWording(wordingText, 'the wording')
    const seconds = indices.map(index => index / framesPerSecond)
    const prompt = wording.system[name] + promptText(name, record, text, wording)
    return { turns: shown(seconds, prompt), temperature: 0, maxTokens: 1024 }
  },
}

// Frames in the middle of equal segments of the whole video. `lastFrame` is the index that video_meta_info.json calls max_frame.
export function framesOverall(lastFrame: number, count: number): number[] {
  const segment = lastFrame / count
  return Array.from({ length: count }, (_, i) => Math.trunc(segment / 2 + toEven(segment * i)))
}

// Frames of the clue intervals: all of them while there are no more than `count`, else shared out by length, one at least
// for each. The sum may fall short of `count`; overlapping clues are not merged.
export function framesOfClues(clues: readonly Interval[], count: number, framesPerSecond: number): number[] {
  const spans = clues.map(([start, end]): Interval => [toEven(start * framesPerSecond), toEven(end * framesPerSecond)])
  const total = totalLength(spans)
  return spans.flatMap(([start, end]) => {
    if (count >= total) return Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i)
    const frames = Math.max(1, Math.trunc(count * ((end - start) / total)))
    const segment = (end - start) / frames
    return Array.from({ length: frames }, (_, i) => Math.trunc(start + segment / 2 + segment * i))
  })
}
