import { z } from 'zod'
import { UsageError } from '../../../src/core/errors.ts'

// The two shapes of a subtitle file: with [start, end] in seconds, or with clock times.
const Line = z.union([
  z.object({ timestamp: z.tuple([z.number(), z.number().nullable()]), text: z.string() }),
  z.object({ start: z.string(), end: z.string(), line: z.string() }),
])

export interface LvbCue {
  start: number
  end: number // where the file leaves it open: the end of the video
  text: string
}

// Cues on the clip's own clock: the clip starts at `offset` of the video that the times count from.
export function readCues(value: unknown, clip: { offset: number; duration: number }): LvbCue[] {
  const parsed = z.array(Line).safeParse(value)
  if (!parsed.success)
    throw new UsageError('These are no subtitles of longvideobench.', {
      hint: 'Expected is a list of {timestamp: [start, end], text} or {start, end, line}.',
    })
  return parsed.data.map(line => {
    if ('line' in line)
      return { start: seconds(line.start) - clip.offset, end: seconds(line.end) - clip.offset, text: line.line }
    const [start, end] = line.timestamp
    return { start: start - clip.offset, end: (end ?? clip.duration) - clip.offset, text: line.text }
  })
}

// Frames (as their index) and cue texts in the order a model is shown them: a cue stands at its middle, and only where it
// covers a frame; one shorter than a second is taken for a second around its middle.
export function interleave(frameTimes: readonly number[], cues: readonly LvbCue[]): (number | string)[] {
  const shown: (number | string)[] = []
  let next = 0
  for (const cue of cues) {
    const middle = (cue.start + cue.end) / 2
    while (next < frameTimes.length && frameTimes[next] <= middle) shown.push(next++)
    const short = cue.end - cue.start < 1
    const [from, to] = short ? [middle - 0.5, middle + 0.5] : [cue.start, cue.end]
    if (frameTimes.some(time => from < time && time < to)) shown.push(cue.text)
  }
  while (next < frameTimes.length) shown.push(next++)
  return shown
}

// Frames evenly from the first on, one a second at most.
export function frameTimes(duration: number, most: number): number[] {
  const count = duration > most ? most : Math.trunc(duration)
  return Array.from({ length: count }, (_, i) => (duration > most ? (duration / most) * i : i))
}

function seconds(clock: string): number {
  const [hours, minutes, rest] = clock.split(':').map(Number)
  return hours * 3600 + minutes * 60 + rest
}
