import { difference } from './compare.ts'
import type { FrameWindow } from './frame-window.ts'

export const cutWindow = { frames: 3, seconds: 0.2, most: 24 } // neighbours a frame is held against, on either side
const flashSeconds = 0.4

// A frame begins a new shot when it differs from the one before by far more than its neighbours do, and what follows is not again
// what was before. Two ways: a whole new picture, or a still picture in which something changes at one stroke (the next slide).
export function cutScore(frames: FrameWindow, index: number, sensitivity: number): number {
  if (!frames.has(index - 1)) return 0
  const { difference: step, changed } = frames.at(index)
  if (step < 0.7 * sensitivity) return 0
  const around = neighbours(frames, index)
  const ratio = step / (around.second + 0.25)
  const wholePicture =
    step >= 12 * sensitivity && step > around.largest && ratio >= (step >= 30 ? 2.3 : 5) * sensitivity
  // Where nothing else moves, a line of text is enough.
  const still = around.second < 0.1
  const stillPicture =
    step > around.largest &&
    step >= (still ? 0.7 : 1) * sensitivity &&
    changed >= (still ? 0.02 : 0.03) * sensitivity &&
    changed >= 4 * (around.changed + 0.003) &&
    step / (around.second + 0.1) >= 6 * sensitivity
  if (!wholePicture && !stillPicture) return 0
  if (isFlash(frames, index)) return 0
  return ratio
}

interface Neighbourhood {
  largest: number
  second: number // second largest: another cut or a flash nearby does not hide this one
  changed: number // second largest
}

function neighbours(frames: FrameWindow, index: number): Neighbourhood {
  let largest = 0
  let second = 0
  let largestChanged = 0
  let changed = 0
  const take = (at: number) => {
    const { difference, changed: share } = frames.at(at)
    if (difference > largest) {
      second = largest
      largest = difference
    } else if (difference > second) second = difference
    if (share > largestChanged) {
      changed = largestChanged
      largestChanged = share
    } else if (share > changed) changed = share
  }
  for (const side of [-1, 1]) {
    for (let n = 1; n <= cutWindow.most; n++) {
      const at = index + side * n
      // The very first frame has nothing before it to differ from.
      if (!frames.has(at) || at === 0) break
      if (n > cutWindow.frames && Math.abs(frames.time(at) - frames.time(index)) > cutWindow.seconds) break
      take(at)
    }
  }
  return { largest, second, changed }
}

// What follows is again like what was before, or what was a moment ago is again like this frame: light, not a new shot.
function isFlash(frames: FrameWindow, index: number): boolean {
  const before = frames.at(index - 1).frame
  const here = frames.at(index).frame
  const step = difference(before, here)
  const near = 0.35 * step
  for (let at = index + 1; frames.has(at) && frames.time(at) - here.time <= flashSeconds; at++)
    if (difference(frames.at(at).frame, before) < near) return true
  for (let at = index - 2; frames.has(at) && here.time - frames.time(at) <= flashSeconds; at--)
    if (difference(frames.at(at).frame, here) < near) return true
  return false
}

// How many seconds of frames after one must be known before it can be judged.
export const cutLookahead = Math.max(cutWindow.seconds, flashSeconds)
