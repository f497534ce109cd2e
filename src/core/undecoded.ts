import { clampSpan, formatTime, gapsBetween, type Span, spanLength, touches } from './time.ts'
import type { Coverage } from './video.ts'

type TrackName = 'picture' | 'speech' | 'sound' | 'text'

// What of a span a track does not rest on because it could not be decoded.
export function undecoded(coverage: Coverage, track: TrackName, span: Span): Span[] {
  const { state, spans } = coverage[track]
  if (state !== 'partial') return []
  const all = { start: 0, end: coverage.duration }
  return gapsBetween(spans, all)
    .filter(gap => touches(gap, span) || touches(span, gap))
    .map(gap => {
      const { start } = clampSpan(span, gap.end)
      return { start: Math.max(gap.start, start), end: Math.min(gap.end, Math.max(span.end, start)) }
    })
}

// The gaps that a question about a span fell into: where of none of these tracks more than a little was decoded.
export function damageAt(coverage: Coverage, tracks: readonly TrackName[], span: Span): Span | undefined {
  const present = tracks.filter(track => ['indexed', 'partial'].includes(coverage[track].state))
  const whole = clampSpan(span, coverage.duration)
  const lost = (track: TrackName) => undecoded(coverage, track, whole).reduce((sum, gap) => sum + spanLength(gap), 0)
  const isLost = (track: TrackName) => lost(track) > 0 && lost(track) >= 0.8 * spanLength(whole)
  if (present.length === 0 || !present.every(isLost)) return undefined
  const all = { start: 0, end: coverage.duration }
  return gapsBetween(coverage[present[0]].spans, all).find(gap => touches(gap, whole))
}

// "[0:20-0:41] could not be decoded".
export function damageText(gap: Span): string {
  return `${formatTime(gap.start)}-${formatTime(gap.end)} of the file could not be decoded`
}
