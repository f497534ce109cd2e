import { emptySpans } from '../../core/basics/gaps.ts'
import { formatMoment, gapsBetween } from '../../core/time.ts'
import { type Coverage, isIndexed, toldTracks } from '../../core/video.ts'
import { trackState } from '../../core/words/row-remarks.ts'

const maxSpans = 3

// What could not be looked at, one phrase each: that no row is there means nothing then.
export function gapLines(coverage: Coverage, offset = 0): string[] {
  const whole = { start: 0, end: coverage.duration }
  return toldTracks(coverage, ['picture', 'speech', 'sound', 'text']).flatMap(({ name, track }) => {
    const { state, spans } = track
    if (!isIndexed(track)) return [trackState(name, state)]
    const gaps = [...(state === 'partial' ? gapsBetween(spans, whole) : []), ...emptySpans(track)]
    if (gaps.length === 0) return []
    const times = gaps
      .slice(0, maxSpans)
      .map(({ start, end }) => `${formatMoment(start + offset)}-${formatMoment(end + offset)}`)
    const more = gaps.length > maxSpans ? ` and ${gaps.length - maxSpans} more spans` : ''
    return [`${name} ${times.join(', ')}${more}`]
  })
}
