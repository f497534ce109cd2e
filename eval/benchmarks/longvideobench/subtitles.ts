import { z } from 'zod'
import { UsageError } from '../../../src/core/errors.ts'

// The two shapes of a subtitle file: with [start, end] in seconds, or with clock times.
const Line = z.union([
  z.object({ timestamp: z.tuple([z.number(), z.number().nullable()]), text: z.string() }),
  z.object({ start: z.string(), end: z.string(), line: z.string() }),
])

interface LvbCue {
  start: number
  end: number // where the file leaves it open: the end of the video
  text: string
}

// Cues on the clip's own clock: the clip starts at `offset` of the video that the times count from.
export function readLvbCues(value: unknown, clip: { offset: number; duration: number }): LvbCue[] {
  const parsed = z.array(Line).safeParse(value)
  if (!parsed.success)
    throw new UsageError('This is not a subtitle file of longvideobench.', {
      hint: 'Expected is a list of {timestamp: [start, end], text} or {start, end, line}.',
    })
  return parsed.data.map(line => {
    if ('line' in line)
      return { start: seconds(line.start) - clip.offset, end: seconds(line.end) - clip.offset, text: line.line }
    const [start, end] = line.timestamp
    return { start: start - clip.offset, end: (end ?? clip.duration) - clip.offset, text: line.text }
  })
}

// Times of frames and texts of cues in the order a model is shown them: a cue stands at its middle, and only where it
// covers a frame; one shorter than a second is taken for a second around its middle.
export function interleave(frameTimes: readonly number[], cues: readonly LvbCue[]): (number | string)[] {
  const interleaved: (number | string)[] = []
  const remainingTimes = [...frameTimes]
  for (const cue of cues) {
    const middle = (cue.start + cue.end) / 2
    while ((remainingTimes[0] ?? Number.POSITIVE_INFINITY) <= middle) interleaved.push(remainingTimes.shift()!)
    const isShort = cue.end - cue.start < 1
    const from = isShort ? middle - 0.5 : cue.start
    const to = isShort ? middle + 0.5 : cue.end
    if (frameTimes.some(time => from < time && time < to)) interleaved.push(cue.text)
  }
  interleaved.push(...remainingTimes)
  return interleaved
}

// Frames evenly from the first on, one a second at most.
export function lvbFrameTimes(duration: number, max: number): number[] {
  const count = duration > max ? max : Math.trunc(duration)
  return Array.from({ length: count }, (_, i) => (duration > max ? (duration / max) * i : i))
}

function seconds(clock: string): number {
  return clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
}
