import { type Interval, totalLength } from '../../metrics/intervals.ts'
import { toEven } from '../../metrics/rounding.ts'
import { parseCues } from '../cues.ts'
import { type FrameProtocol, numberOption, shown } from '../frames.ts'
import { ownWording, type PromptTask, promptText, readWording } from './prompt.ts'
import type { CgBenchRecord } from './record.ts'
import { subtitleLines } from './subtitles.ts'

// The clue tasks never show more than this many frames.
export const maxClueFrames = 32

// All pictures first, then one text: system text, subtitles at the frames, their times, question, options.
export const frames: FrameProtocol<CgBenchRecord> = {
  request({ record }, task, { framesPerSecond, lastFrame, subtitles }, options) {
    const count = numberOption(options, 'frames', 128)
    const indices =
      task === 'clue_acc'
        ? framesOfClues(record.clue_intervals, Math.min(count, maxClueFrames), framesPerSecond)
        : framesOverall(lastFrame, count)
    const markup = options.markup === 'as released' ? 'as released' : 'plain'
    const times = options.subtitleTimes !== false
    const isOn = options.subtitles !== false && subtitles !== undefined
    const text = {
      ...(isOn && { subtitles: subtitleLines(parseCues(subtitles), indices, framesPerSecond, { times, markup }) }),
      ...(options.frameTimes !== false && { frames: { indices, framesPerSecond } }),
    }
    const name = task as PromptTask
    const { wordingText } = options
    const wording = typeof wordingText === 'string' ? readWording(wordingText, 'the wording') : ownWording
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
