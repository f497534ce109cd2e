import { type Span, spanLength } from '../time.ts'
import type { VideoIndex } from '../video.ts'
import { framesFor } from './frame-rows.ts'
import { evenMoments } from './moments.ts'

const forPeaks = 1 / 4 // of the frames, if even ones lie more than a second apart
const longestBurst = 6 // seconds of a sound that counts as an event

type Seen = Pick<VideoIndex, 'stills' | 'evidence'>

// When the opening frames are: at equal distances, and if these are wide also at changes and short sounds that they miss.
export function openingMoments(index: Seen, span: Span, max: number): number[] {
  if (max < 1) return []
  const dense = framesFor(span, max)
  if (spanLength(span) / dense <= 1.1) return evenMoments(span, dense)
  const room = Math.floor(max * forPeaks)
  const even = evenMoments(span, max - room)
  const missed = findPeaks(index, span)
    .filter(peak => !even.some(time => time >= peak.start && time < peak.end))
    .sort((a, b) => spanLength(b) - spanLength(a))
    .slice(0, 4 * room) // of very many short ones the longer
    .sort((a, b) => a.start - b.start)
  const step = Math.max(1, missed.length / Math.max(1, room))
  const chosen = missed.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step)).slice(0, room)
  // What no peak needs goes to even distances again.
  const rest = evenMoments(span, max - chosen.length)
  return [...new Set([...rest, ...chosen.map(({ start, end }) => Math.min((start + end) / 2, start + 1))])].sort(
    (a, b) => a - b,
  )
}

// Short sounds, and stretches over which the picture stays as it is, as far as the index kept a frame at each change.
function findPeaks({ stills, evidence }: Seen, span: Span): Span[] {
  const steady = stills.map(({ time }, at) => ({ start: time, end: stills[at + 1]?.time ?? span.end }))
  const bursts = evidence({ tracks: ['sound'], span })
    .filter(row => spanLength(row.span) <= longestBurst && !/silence|speech/i.test(row.text))
    .map(row => ({ start: row.span.start - 0.5, end: row.span.end + 0.5 }))
  return [...steady, ...bursts]
    .filter(one => one.start >= span.start && one.end <= span.end)
    .sort((a, b) => a.start - b.start)
}
