import type { SmallFrame } from '../../src/core/services.ts'
import { change, isShift } from './compare.ts'
import type { FrameWindow } from './frame-window.ts'

// How many neighbours on either side a frame is compared with. Drawings and recorded screens move a few times a second, so a
// picture that stands still for moments is compared with more of them.
export const cutWindow = { frames: 3, seconds: 0.2, stillSeconds: 0.6, max: 60 }
const flashSeconds = 0.4
// In grey levels; the ratio is that of a step to those around it.
const newPicture = { step: 12, ratio: 5, largeStep: 30, largeRatio: 2.3 }
const nextSlide = { step: 1, changed: 0.03, stillStep: 0.7, stillChanged: 0.02, ratio: 6, changedRatio: 4 }

// A frame begins a new shot when it differs from the one before by far more than its neighbours do, and what follows is not again
// what was before. Two ways: a whole new picture, or a still picture in which something changes at one stroke (the next slide).
export function cutScore(frames: FrameWindow, index: number, sensitivity: number): number {
  if (!frames.has(index - 1)) return 0
  const { difference: step } = frames.at(index)
  if (step < nextSlide.stillStep * sensitivity) return 0
  const near = neighbours(frames, index, cutWindow.seconds)
  if (step <= near.rival) return 0
  const ratio = step / (near.level + 0.25)
  const { largeStep, largeRatio } = newPicture
  const wholePicture =
    step >= newPicture.step * sensitivity && ratio >= (step >= largeStep ? largeRatio : newPicture.ratio) * sensitivity
  if (!wholePicture && !isNextSlide(frames, index, sensitivity)) return 0
  return isFlash(frames, index) || isMovement(frames, index) ? 0 : ratio
}

// Little changes, but at one stroke, and nothing else moves. Where it is quite still a line of text is enough.
function isNextSlide(frames: FrameWindow, index: number, sensitivity: number): boolean {
  const { difference: step, changed } = frames.at(index)
  const around = neighbours(frames, index, cutWindow.stillSeconds)
  const still = around.level < 0.1
  return (
    step >= (still ? nextSlide.stillStep : nextSlide.step) * sensitivity &&
    changed >= (still ? nextSlide.stillChanged : nextSlide.changed) * sensitivity &&
    changed >= nextSlide.changedRatio * (around.changed + 0.003) &&
    step / (around.level + 0.1) >= nextSlide.ratio * sensitivity
  )
}

// One of several jumps of a camera or page that moves in fits and starts.
function isMovement(frames: FrameWindow, index: number): boolean {
  const { difference: step, frame } = frames.at(index)
  const around = neighbours(frames, index, cutWindow.stillSeconds)
  return around.rival >= 0.3 * step && isShift(frames.at(index - 1).frame, frame)
}

interface Neighbourhood {
  rival: number // the largest step of those that may belong to the same event
  level: number // what steps are like around here, without the largest ones: another cut nearby does not hide this one
  changed: number // the same for the share of changed pixels
}

function neighbours(frames: FrameWindow, index: number, seconds: number): Neighbourhood {
  const here = frames.time(index)
  const steps: number[] = []
  const shares: number[] = []
  let rival = 0
  for (const side of [-1, 1]) {
    for (let n = 1; n <= cutWindow.max; n++) {
      const at = index + side * n
      // The very first frame has nothing before it to differ from.
      if (!frames.has(at) || at === 0) break
      const near = Math.abs(frames.time(at) - here) <= seconds
      if (n > cutWindow.frames && !near) break
      const { difference, changed } = frames.at(at)
      steps.push(difference)
      shares.push(changed)
      if ((near || n === 1) && difference > rival) rival = difference
    }
  }
  // At a few frames a second the neighbours lie seconds away, and more than one of them may be a cut.
  const slow = frames.has(index - 1) && here - frames.time(index - 1) > 0.25
  const without = slow ? 2 : 1
  return { rival, level: ranked(steps, without), changed: ranked(shares, without) }
}

function ranked(values: number[], without: number): number {
  return values.sort((a, b) => b - a)[without] ?? 0
}

// What follows is again like what was before, or what was a moment ago is again like this frame: light, not a new shot.
function isFlash(frames: FrameWindow, index: number): boolean {
  const before = frames.at(index - 1).frame
  const here = frames.at(index).frame
  const near = 0.35 * change(before, here).difference
  const isNear = (at: number, other: SmallFrame) => change(frames.at(at).frame, other).difference < near
  for (let at = index + 1; frames.has(at) && frames.time(at) - here.time <= flashSeconds; at++)
    if (isNear(at, before)) return true
  for (let at = index - 2; frames.has(at) && here.time - frames.time(at) <= flashSeconds; at--)
    if (isNear(at, here)) return true
  return false
}

// How many seconds of frames after one must be known before it can be judged.
export const cutLookahead = Math.max(cutWindow.stillSeconds, flashSeconds)
