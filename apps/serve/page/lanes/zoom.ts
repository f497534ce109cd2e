import type { Window } from './cover.ts'

const smallest = 0.5 // seconds that the lanes show at least

export function wholeWindow(duration: number): Window {
  return { from: 0, to: Math.max(duration, smallest) }
}

// The same moment stays below the pointer.
export function zoomAround({ from, to }: Window, at: number, factor: number, duration: number): Window {
  const all = wholeWindow(duration)
  const length = Math.min(Math.max((to - from) * factor, Math.min(smallest, all.to)), all.to)
  const share = (at - from) / (to - from)
  return within(at - share * length, length, all.to)
}

export function panBy({ from, to }: Window, seconds: number, duration: number): Window {
  return within(from + seconds, to - from, wholeWindow(duration).to)
}

// Moves on where a moment is out of sight; the window itself where it is in.
export function keepInSight(window: Window, at: number, duration: number): Window {
  const length = window.to - window.from
  if (at >= window.from && at <= window.to) return window
  return within(at - length * 0.1, length, wholeWindow(duration).to)
}

// 0 if all is seen, 1 at the closest: as a zoom control shows it.
export function closeness({ from, to }: Window, duration: number): number {
  const all = wholeWindow(duration).to
  return all <= smallest ? 0 : Math.log(all / (to - from)) / Math.log(all / smallest)
}

export function windowOfCloseness(closeness: number, at: number, window: Window, duration: number): Window {
  const all = wholeWindow(duration).to
  const length = all / (all / smallest) ** closeness
  return zoomAround(window, at, length / (window.to - window.from), duration)
}

function within(from: number, length: number, duration: number): Window {
  const start = Math.min(Math.max(0, from), Math.max(0, duration - length))
  return { from: start, to: start + length }
}
