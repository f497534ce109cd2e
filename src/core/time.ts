import { z } from 'zod'
import { formatTime } from './time-text.ts'

export { formatTime, parseTime } from './time-text.ts'

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

// Sorted, and joined where the gap between two is at most `gap` seconds.
export function mergeSpans(spans: readonly Span[], gap = 0): Span[] {
  const merged: Span[] = []
  for (const span of [...spans].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = merged.at(-1)
    if (last && span.start <= last.end + gap) last.end = Math.max(last.end, span.end)
    else merged.push({ ...span })
  }
  return merged
}

// What of `whole` is not in `spans`.
export function gapsBetween(spans: readonly Span[], whole: Span): Span[] {
  const gaps: Span[] = []
  let at = whole.start
  for (const span of mergeSpans(spans)) {
    if (span.start > at) gaps.push({ start: at, end: Math.min(span.start, whole.end) })
    at = Math.max(at, span.end)
  }
  if (at < whole.end) gaps.push({ start: at, end: whole.end })
  return gaps.filter(gap => gap.end > gap.start)
}

export function roundTime(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}
