import type { Window } from './cover.ts'
import type { TimelineLane } from './lane-list.ts'

// What lies below a pointer, in pixels of the page.
export function hitAt(
  { x, y }: { x: number; y: number },
  { width, axis, lane: height }: { width: number; axis: number; lane: number },
  window: Window,
  lanes: readonly TimelineLane[],
): { time: number; lane: TimelineLane | undefined } {
  const share = Math.min(Math.max(0, x / width), 1)
  const at = Math.floor((y - axis) / height)
  return { time: window.from + share * (window.to - window.from), lane: y < axis ? undefined : lanes[at] }
}
