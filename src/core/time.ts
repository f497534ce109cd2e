import { z } from 'zod'
import { formatTime } from './words/time-text.ts'

export { clockTime, formatMoment, formatTime, parseTime } from './words/time-text.ts'

// Seconds on the media clock: presentation time minus the stream's start time. The end is exclusive.
export const Span = z.object({ start: z.number().min(0), end: z.number().min(0) })
export type Span = z.infer<typeof Span>

// "[12:04-12:31]", as an answer cites its evidence.
export function formatSpan(span: Span): string {
  return `[${formatTime(span.start)}-${formatTime(span.end)}]`
}

export function spanLength(span: Span): number {
  return Math.max(0, span.end - span.start)
}

export function overlap(a: Span, b: Span): number {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start))
}

export function contains(outer: Span, inner: Span): boolean {
  return inner.start >= outer.start && inner.end <= outer.end
}

// A moment without length still touches the span that holds it.
export function touches(a: Span, b: Span): boolean {
  if (a.start === a.end) return a.start >= b.start && a.start < Math.max(b.end, b.start + 1e-9)
  if (b.start === b.end) return b.start >= a.start && b.start < a.end
  return overlap(a, b) > 0
}

export function clampSpan(span: Span, duration: number): Span {
  const start = Math.min(Math.max(0, span.start), duration)
  return { start, end: Math.min(Math.max(start, span.end), duration) }
}

export { gapsBetween, mergeSpans } from './basics/gaps.ts'

export function roundTime(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}
