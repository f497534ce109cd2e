import { BackendError } from '../src/core/errors.ts'
import { evenMoments } from '../src/core/sight/moments.ts'
import { formatSpan, type Span } from '../src/core/time.ts'
import { lostSpans, type VideoIndex } from '../src/core/video.ts'

// The seconds of a span that are looked at: at equal distances, its first and last frame included.
export function sampleMoments(span: Span, { coverage }: Pick<VideoIndex, 'coverage'>, max: number): number[] {
  const times = evenMoments(span, max)
  // With pictures off only the track of text knows where no frame could be decoded.
  const lost = lostSpans(coverage, 'picture', span).concat(lostSpans(coverage, 'text', span))
  const seen = times.filter(time => !lost.some(gap => time >= gap.start && time < gap.end))
  if (seen.length === 0 && times.length > 0)
    throw new BackendError(`The picture of ${formatSpan(span)} could not be decoded.`, {
      hint: 'The file is damaged there; look at another span.',
    })
  return seen
}

// How many frames a span is worth: two for each time that the picture changed in it, so that what came before a change and what after it
// are both seen; few where it stands still. If only keyframes are indexed, nothing is known of what moves between them.
export function framesByChange(span: Span, { stills, coverage }: Pick<VideoIndex, 'stills' | 'coverage'>): number {
  const fresh = stills.filter(({ time, reason }) => reason !== 'interval' && time >= span.start && time < span.end)
  const least = coverage.picturesFrom === 'keyframes' ? 8 : 4
  return Math.min(64, Math.max(least, 2 * fresh.length))
}
