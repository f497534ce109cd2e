import { roundTime, type Span, spanLength } from '../time.ts'

const lastFrame = 0.04 // seconds before the end of a span at which its last frame is still on screen
const calmRate = 2 // frames a second
const shortRate = 8 // of a span under `shortSpan`
const shortSpan = 3 // seconds

// Moments at equal distances, the first and last frame of the span included; fewer if the span has not so many frames.
export function evenMoments({ start, end }: Span, count: number): number[] {
  const length = Math.max(0, end - start - lastFrame)
  const steps = Math.min(Math.max(1, count) - 1, Math.floor(length / lastFrame))
  if (steps < 1) return count < 1 ? [] : [roundTime((start + Math.max(start, end)) / 2)]
  return Array.from({ length: steps + 1 }, (_, at) => roundTime(start + (at * length) / steps))
}

// Moments as dense as motion needs: two a second, eight a second in a span under three seconds, fewer only where `max` bounds them.
export function chooseFrameTimes(
  span: Span,
  { max = 64, perSecond }: { max?: number; perSecond?: number } = {},
): number[] {
  const length = spanLength(span)
  const rate = perSecond ?? (length < shortSpan ? shortRate : calmRate)
  return evenMoments(span, Math.min(max, Math.ceil(length * rate) + 1))
}
