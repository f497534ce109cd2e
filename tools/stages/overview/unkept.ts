import { gapsBetween, mergeSpans, type Span, spanLength } from '../../../src/core/time.ts'
import type { Shot, Still } from '../../../src/core/video.ts'
import type { PassReport } from '../../../src/media/pass/decode-pass.ts'
import { maxStillGap } from '../decode/sampling.ts'

const noticeable = 1 // seconds; cuts that come faster than stills are taken are not named one by one

// What was decoded but is on no still: a still stands for the picture around it up to half of the distance that stills may have.
export function unkeptSpans(
  shots: readonly Shot[],
  stills: readonly Pick<Still, 'time'>[],
  { picture, level = 'balanced' }: PassReport,
): Span[] {
  if (!picture) return []
  const frame = (picture.last - picture.first) / Math.max(1, picture.frames - 1)
  const reach = Math.max(maxStillGap(level), level === 'quick' ? 0 : 2 * frame) / 2
  const open = shots.flatMap(shot => {
    const times = stills.map(still => still.time).filter(time => time >= shot.start && time < shot.end)
    if (times.length === 0) return [{ start: shot.start, end: shot.end }]
    const around = times.map(time => ({ start: time - reach, end: time + reach + 1e-3 }))
    const edges = [
      { start: shot.start, end: shot.start + reach },
      { start: shot.end - reach, end: shot.end },
    ]
    return gapsBetween([...around, ...edges], shot)
  })
  const still = [...(picture.still ?? []), ...(picture.lasts ? [{ start: picture.last, end: Infinity }] : [])]
  return mergeSpans(open.flatMap(span => gapsBetween(still, span))).filter(span => spanLength(span) > noticeable)
}
