import { difference, outside } from './compare.ts'
import type { FrameWindow } from './frame-window.ts'

// Works on about 15 frames a second, however many the video has.
export const gradualStep = 1 / 15.5
export const gradualFrames = 80
const lengths = [5, 8, 12, 17, 24, 34] // frames of a transition: a third of a second to two seconds
const calm = 5 // frames before and after it

export interface Gradual {
  first: number
  last: number
  middle: number
  score: number
}

// A transition that ends `calm` frames ago: the picture went from one to another in small steps without detour,
// faster than it moves before and after, and each picture on the way is a mixture of both.
export function gradualAt(frames: FrameWindow, sensitivity: number): Gradual | undefined {
  const last = frames.count - 1 - calm
  let best: Gradual | undefined
  for (const length of lengths) {
    const first = last - length
    if (!frames.has(first - calm) || first - calm < 0) break
    const found = transition(frames, first, last, sensitivity)
    if (found && (!best || found.score > best.score)) best = found
  }
  return best
}

function transition(frames: FrameWindow, first: number, last: number, sensitivity: number): Gradual | undefined {
  const length = last - first
  let path = 0
  let largest = 0
  for (let at = first + 1; at <= last; at++) {
    const step = frames.at(at).difference
    path += step
    if (step > largest) largest = step
  }
  const floor = 5 * sensitivity
  if (path < floor || largest > 0.45 * path) return
  let around = 0
  for (let n = 1; n <= calm; n++) around += frames.at(first - n + 1).difference + frames.at(last + n).difference
  around /= 2 * calm
  const inside = path / length
  if (inside < 2 * around + 0.15) return
  const a = frames.at(first).frame
  const b = frames.at(last).frame
  const net = difference(a, b)
  if (net < (around < 0.3 ? floor : 2 * floor) || path > 1.5 * net) return
  let detour = 0
  for (const part of [0.25, 0.5, 0.75])
    detour = Math.max(detour, outside(frames.at(first + Math.round(length * part)).frame, a, b))
  if (detour > 0.1 * net) return
  return { first, last, middle: first + (length >> 1), score: net / (path + 1) + inside / (around + 1) }
}

const dipReach = 18

// A fade through black, white or a colour: the contrast falls to almost nothing and comes back. Returns the flattest frame.
export function dipAt(frames: FrameWindow): number | undefined {
  const middle = frames.count - 1 - dipReach
  if (!frames.has(middle - dipReach)) return
  const low = frames.at(middle).contrast
  let before = 0
  let after = 0
  for (let n = 1; n <= dipReach; n++) {
    const earlier = frames.at(middle - n).contrast
    const later = frames.at(middle + n).contrast
    if (n <= 6 && (earlier < low || later <= low)) return
    before = Math.max(before, earlier)
    after = Math.max(after, later)
  }
  const sides = Math.min(before, after)
  if (sides < 8 || low > 0.3 * sides) return
  // A cut to a plain picture and back is two cuts, which the other rule finds.
  const near = Math.max(frames.at(middle - 2).contrast, frames.at(middle + 2).contrast)
  return near < 0.75 * sides ? middle : undefined
}
