import type { Interval } from '../../metrics/intervals.ts'
import { toEven } from '../../metrics/rounding.ts'

// Frames in the middle of equal segments of the whole video. `lastFrame` is the index that video_meta_info.json calls max_frame.
export function framesOverall(lastFrame: number, count: number): number[] {
  if (count === 0) return []
  const segment = lastFrame / count
  return Array.from({ length: count }, (_, i) => Math.trunc(segment / 2 + toEven(segment * i)))
}

// Frames of the clue intervals: all of them while there are no more than `count`, else shared out by length, one at least
// for each. The sum may fall short of `count`; overlapping clues are not merged.
export function framesOfClues(clues: readonly Interval[], count: number, framesPerSecond: number): number[] {
  const spans = clues.map(([start, end]) => [toEven(start * framesPerSecond), toEven(end * framesPerSecond)])
  const total = spans.reduce((sum, [start, end]) => sum + end - start, 0)
  if (count >= total)
    return spans.flatMap(([start, end]) => Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i))
  return spans.flatMap(([start, end]) => {
    const frames = Math.max(1, Math.trunc(count * ((end - start) / total)))
    const segment = (end - start) / frames
    return Array.from({ length: frames }, (_, i) => Math.trunc(start + segment / 2 + segment * i))
  })
}

// The clue tasks never show more than this many frames.
export const mostClueFrames = 32
