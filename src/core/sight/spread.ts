import { type Span, touches } from '../time.ts'
import { lostSpans, type Still, type VideoIndex } from '../video.ts'
import { evenMoments } from './moments.ts'

type Seen = Pick<VideoIndex, 'stills' | 'coverage'>

// Kept frames of a span, each once, those nearest to moments at equal distances from its first frame to its last. What could not be
// decoded has none.
export function spreadStills({ stills, coverage }: Seen, span: Span, count: number): Still[] {
  const lost = lostSpans(coverage, 'picture', span)
  const usable = stills.filter(
    ({ time }) => touches({ start: time, end: time }, span) && !lost.some(gap => time >= gap.start && time < gap.end),
  )
  return usable.length <= count ? usable : nearestTo(evenMoments(span, count), usable)
}

// Each moment takes the nearest of what is left after the one before it and leaves enough for those that follow.
export function nearestTo<Item extends { time: number }>(moments: readonly number[], items: readonly Item[]): Item[] {
  let from = 0
  return moments.map((moment, nth) => {
    const last = items.length - (moments.length - nth)
    let at = from
    while (at < last && Math.abs(items[at + 1]!.time - moment) <= Math.abs(items[at]!.time - moment)) at++
    from = at + 1
    return items[at]!
  })
}
