import { change, unexplainedPart } from './compare.ts'
import type { FrameWindow } from './frame-window.ts'

// Works on about 15 frames a second, however many the video has.
export const gradualStep = 1 / 15.5
export const gradualFrames = 80
const lengths = [5, 8, 12, 17, 24, 34] // frames of a transition: a third of a second to two seconds
const mixed = 0.25 // how much of a picture on the way may be neither end's
const stillFloor = 2.2
export const plainContrast = 5 // contrast below which a frame is black, white or one colour
const opening = 15 // frames in which a video that begins plain may still be fading in
const calm = 5 // frames before and after it

interface GradualOptions {
  sensitivity: number
  firstPicture: number // the first frame of the video that was not plain
}

interface Gradual {
  first: number
  last: number
  middle: number
  score: number
}

// A transition that ends `calm` frames ago: the picture went from one to another in small steps without detour,
// faster than it moves before and after, and each picture on the way is a mixture of both.
export function gradualAt(frames: FrameWindow, options: GradualOptions): Gradual | undefined {
  const last = frames.count - 1 - calm
  let best: Gradual | undefined
  for (const length of lengths) {
    const first = last - length
    if (!frames.has(first - calm) || first - calm < 0) break
    const candidate = transition(frames, first, last, options)
    if (candidate && (!best || candidate.score > best.score)) best = candidate
  }
  return best
}

function transition(
  frames: FrameWindow,
  first: number,
  last: number,
  { sensitivity, firstPicture }: GradualOptions,
): Gradual | undefined {
  const length = last - first
  let path = 0
  let largest = 0
  for (let at = first + 1; at <= last; at++) {
    const step = frames.at(at).difference
    path += step
    if (step > largest) largest = step
  }
  if (path < stillFloor * sensitivity || largest > 0.45 * path) return
  const inside = path / length
  const around = (mean(frames, first - calm, calm) + mean(frames, last, calm)) / 2
  if (inside < 2 * around + 0.15) return
  // Where it still goes on at the ends, this is a piece of something longer.
  if (Math.max(mean(frames, first - 2, 2), mean(frames, last, 2)) > 0.8 * inside) return
  const a = frames.at(first)
  const b = frames.at(last)
  const { difference: net, changed } = change(a.frame, b.frame)
  if (path > 1.5 * net) return
  // Between two still pictures a small change counts; where things move, the whole picture must change.
  const still = around < 0.1
  if (net < (still ? stillFloor : around < 0.3 ? 5 : 10) * sensitivity) return
  if (!still && changed < 0.3) return
  // Into black is the end of a shot, not the start of one; out of black is one, unless the video begins so.
  if (b.contrast < plainContrast) return
  if (a.contrast < 0.6 * b.contrast && first - firstPicture < opening) return
  for (const fraction of [0.2, 0.35, 0.5, 0.65, 0.8]) {
    const middle = frames.at(first + Math.round(length * fraction)).frame
    if (unexplainedPart(middle, a.frame, b.frame) > (net < 5 ? mixed / 2 : mixed)) return
  }
  return { first, last, middle: first + (length >> 1), score: net / (path + 1) + inside / (around + 1) }
}

// The mean step of so many frames after one.
function mean(frames: FrameWindow, after: number, count: number): number {
  let sum = 0
  for (let n = 1; n <= count; n++) sum += frames.at(after + n).difference
  return sum / count
}

const dipReach = 18

// A fade through black, white or a colour: the contrast falls to almost nothing and comes back. The flattest frame is its middle.
export function dipAt(frames: FrameWindow): Gradual | undefined {
  const middle = frames.count - 1 - dipReach
  if (!frames.has(middle - dipReach)) return
  const low = frames.at(middle).contrast
  for (let n = 1; n <= 6; n++) {
    if (frames.at(middle - n).contrast < low || frames.at(middle + n).contrast <= low) return
  }
  const before = slope(frames, middle, -1)
  const after = slope(frames, middle, 1)
  const sides = Math.min(before.highest, after.highest)
  if (sides < 8 || low > 0.3 * sides) return
  // A cut to a plain picture and back is two cuts, which the other rule finds.
  const sinks = [before, after].every(side => side.steepest < 0.7 * side.highest)
  return sinks ? { first: middle - 3, last: middle + 3, middle, score: 1 } : undefined
}

// How high the contrast lies on one side of a frame, and its largest change from one frame to the next.
function slope(frames: FrameWindow, middle: number, side: 1 | -1): { highest: number; steepest: number } {
  let highest = 0
  let steepest = 0
  for (let n = 1; n <= dipReach; n++) {
    const { contrast } = frames.at(middle + side * n)
    highest = Math.max(highest, contrast)
    steepest = Math.max(steepest, Math.abs(contrast - frames.at(middle + side * (n - 1)).contrast))
  }
  return { highest, steepest }
}
