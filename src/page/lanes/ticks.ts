import { formatTime } from '../../core/words/time-text.ts'
import type { Window } from './cover.ts'

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400]

// Moments for the axis, about one in so many pixels.
export function axisTicks({ from, to }: Window, width: number, apart = 90): { time: number; label: string }[] {
  const step = steps.find(seconds => (seconds / (to - from)) * width >= apart) ?? 28_800
  const found: { time: number; label: string }[] = []
  for (let time = Math.ceil(from / step) * step; time <= to; time += step) found.push({ time, label: formatTime(time) })
  return found
}
