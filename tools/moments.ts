import { BackendError } from '../src/core/errors.ts'
import { formatSpan, type Span, touches } from '../src/core/time.ts'
import { undecoded, type VideoIndex } from '../src/core/video.ts'

// The seconds of a span whose frames say most: where the picture changed, then evenly between. Where the index knows keyframes
// alone, half of them are moments that it has not seen.
export function momentsOf(span: Span, index: VideoIndex, most: number): number[] {
  const kept = index.stills.map(still => still.time).filter(time => touches({ start: time, end: time }, span))
  const known = index.coverage.picturesFrom === 'keyframes' ? Math.ceil(most / 2) : most
  const chosen = kept.length > known ? spread(kept, known) : kept
  const times = [...chosen, ...evenly(span, most - chosen.length)]
  const lost = undecoded(index.coverage, 'picture', span).concat(undecoded(index.coverage, 'text', span))
  const seen = times.filter(time => !lost.some(gap => time >= gap.start && time < gap.end))
  if (seen.length === 0 && times.length > 0)
    throw new BackendError(`The picture of ${formatSpan(span)} could not be decoded.`, {
      hint: 'The file is damaged there; look at another span.',
    })
  return [...new Set(seen)].sort((a, b) => a - b)
}

function evenly(span: Span, most: number): number[] {
  return Array.from({ length: most }, (_, i) => span.start + ((i + 0.5) * (span.end - span.start)) / most)
}

function spread(times: readonly number[], most: number): number[] {
  return Array.from({ length: most }, (_, i) => times[Math.floor((i * times.length) / most)]!)
}
