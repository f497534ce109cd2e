import { BackendError } from '../src/core/errors.ts'
import { formatSpan, type Span, touches } from '../src/core/time.ts'
import { undecoded, type VideoIndex } from '../src/core/video.ts'

// The seconds of a span that are worth a look: where the picture changed, then evenly between. Where the index knows keyframes
// alone, half of them are moments that it has not seen.
export function momentsOf(span: Span, index: Pick<VideoIndex, 'stills' | 'coverage'>, max: number): number[] {
  const kept = index.stills.map(still => still.time).filter(time => touches({ start: time, end: time }, span))
  const known = index.coverage.picturesFrom === 'keyframes' ? Math.ceil(max / 2) : max
  const chosen = kept.length > known ? spread(kept, known) : kept
  const times = [...chosen, ...evenly(span, max - chosen.length)]
  const lost = undecoded(index.coverage, 'picture', span).concat(undecoded(index.coverage, 'text', span))
  const seen = times.filter(time => !lost.some(gap => time >= gap.start && time < gap.end))
  if (seen.length === 0 && times.length > 0)
    throw new BackendError(`The picture of ${formatSpan(span)} could not be decoded.`, {
      hint: 'The file is damaged there; look at another span.',
    })
  return [...new Set(seen)].sort((a, b) => a - b)
}

// How many frames a span is worth: two for each time that the picture changed in it, so that what came before a change and what after it
// are both seen; few where it stands still. Of keyframes alone nothing is known of what moves between them.
export function framesByChange(span: Span, { stills, coverage }: Pick<VideoIndex, 'stills' | 'coverage'>): number {
  const fresh = stills.filter(({ time, reason }) => reason !== 'interval' && time >= span.start && time < span.end)
  const least = coverage.picturesFrom === 'keyframes' ? 8 : 4
  return Math.min(64, Math.max(least, 2 * fresh.length))
}

function evenly(span: Span, max: number): number[] {
  return Array.from({ length: max }, (_, i) => span.start + ((i + 0.5) * (span.end - span.start)) / max)
}

function spread(times: readonly number[], max: number): number[] {
  return Array.from({ length: max }, (_, i) => times[Math.floor((i * times.length) / max)]!)
}
