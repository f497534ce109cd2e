import { z } from 'zod'
import { Track } from '../src/core/evidence.ts'
import { formatSpan, type Span } from '../src/core/time.ts'

// The arguments that several tools share. Times are seconds from the start of the video.
export const startInput = z.number().min(0).describe('seconds from the start of the video')
export const endInput = z.number().min(0).describe('seconds; later than start')
export const tracksInput = z
  .array(Track)
  .describe(
    'where to look: speech (what is said), text (read on screen), sound, picture, shot, summary; all when left out',
  )

export function inputSpan(input: { start?: number; end?: number }, duration: number): Span {
  return { start: input.start ?? 0, end: input.end ?? duration }
}

// The span cut to the longest that a tool takes, around its middle.
export function shortenSpan(span: Span, longest: number): Span {
  if (span.end - span.start <= longest) return span
  const middle = (span.start + span.end) / 2
  return { start: middle - longest / 2, end: middle + longest / 2 }
}

// What to say of a call whose span was longer than the tool takes; undefined if all of it was done.
export function partNote(wanted: Span, done: Span): string | undefined {
  if (done.start <= wanted.start + 0.01 && done.end >= wanted.end - 0.01) return undefined
  return `Only ${formatSpan(done)} of ${formatSpan(wanted)} was done; call again for the rest.`
}

// Several remarks as one text; undefined if there is none.
export function remarks(...all: (string | undefined)[]): { text?: string } {
  const text = all.filter(Boolean).join(' ')
  return text ? { text } : {}
}
