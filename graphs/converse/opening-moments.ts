import { evenMoments } from '../../src/core/sight/moments.ts'
import { type Span, spanLength } from '../../src/core/time.ts'
import type { VideoIndex } from '../../src/core/video.ts'
import { framesFor } from './frames.ts'

const forPeaks = 1 / 4 // of the frames, if even ones lie more than a second apart
const longestBurst = 6 // seconds of a sound that counts as an event

// When the opening frames are: at equal distances, and if these are wide also in shots and at short sounds that they miss.
export function openingMoments(index: Pick<VideoIndex, 'shots' | 'evidence'>, span: Span, max: number): number[] {
  if (max < 1) return []
  const dense = framesFor(span, max)
  if (spanLength(span) / dense <= 1.1) return evenMoments(span, dense)
  const room = Math.floor(max * forPeaks)
  const even = evenMoments(span, max - room)
  const missed = peaksOf(index, span).filter(peak => !even.some(time => time >= peak.start && time < peak.end))
  const step = Math.max(1, missed.length / Math.max(1, room))
  const chosen = missed.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step)).slice(0, room)
  // What no peak needs goes to even distances again.
  const rest = evenMoments(span, max - chosen.length)
  return [...new Set([...rest, ...chosen.map(({ start, end }) => (start + end) / 2)])].sort((a, b) => a - b)
}

function peaksOf({ shots, evidence }: Pick<VideoIndex, 'shots' | 'evidence'>, span: Span): Span[] {
  const bursts = evidence({ tracks: ['sound'], span })
    .filter(row => spanLength(row.span) <= longestBurst && !/silence|speech/i.test(row.text))
    .map(row => ({ start: row.span.start - 0.5, end: row.span.end + 0.5 }))
  return [...shots, ...bursts]
    .filter(one => one.start >= span.start && one.end <= span.end)
    .sort((a, b) => a.start - b.start)
}
