import type { Boundary, ShotFinder, SmallFrame } from '../../src/core/services.ts'
import { change, contrast, isShift } from './compare.ts'
import { FrameWindow, type MeasuredFrame, type SavedWindow } from './frame-window.ts'
import { dipAt, gradualAt, gradualFrames, gradualStep, plainContrast } from './gradual-rule.ts'

const maxLookahead = 75 // frames, at very high rates
const maxDelay = 1.9 // seconds after a boundary in which it is found, at 10 frames a second and more

export interface FinderSettings {
  sensitivity: number
  shortestShot: number // seconds
  gradual: boolean
}

interface Saved {
  fast: SavedWindow
  slow: SavedWindow
  held: Boundary[]
  undecided: number
  firstPicture: number
  lastCut: number
  lastGradual: number
}

export function createFinder(settings: FinderSettings): ShotFinder {
  const { sensitivity, shortestShot } = settings
  const fast = new FrameWindow(160)
  const slow = new FrameWindow(gradualFrames)
  let pending: Boundary[] = [] // by time; some rules need to see more frames than others
  let undecided = 1
  let firstPicture = 0 // of the slow frames: the first that is not plain
  let lastCut = Number.NEGATIVE_INFINITY
  let lastGradual = Number.NEGATIVE_INFINITY

  const isReady = (index: number) => {
    const ahead = fast.count - 1 - index
    if (ahead < cutWindow.frames) return false
    return ahead >= maxLookahead || fast.time(fast.count - 1) - fast.time(index) > cutLookahead
  }

  const cutsUpTo = (ready: (index: number) => boolean): Boundary[] => {
    const boundaries: Boundary[] = []
    for (; undecided < fast.count && ready(undecided); undecided++) {
      const time = fast.time(undecided)
      if (time - lastCut < shortestShot) continue
      const score = cutScore(fast, undecided, sensitivity)
      if (score === 0) continue
      lastCut = time
      boundaries.push({ time, kind: 'cut', score })
    }
    return boundaries
  }

  const gradual = (frame: SmallFrame): Boundary[] => {
    const before = slow.count > 0 ? slow.at(slow.count - 1).frame : undefined
    if (before && frame.time - before.time < gradualStep) return []
    slow.push(measured(frame, before, fast.at(fast.count - 1).contrast))
    if (firstPicture === slow.count - 1 && slow.at(firstPicture).contrast < plainContrast) firstPicture++
    const boundary = dipAt(slow) ?? gradualAt(slow, { sensitivity, firstPicture })
    if (!boundary) return []
    const [start, end, time] = [slow.time(boundary.first), slow.time(boundary.last), slow.time(boundary.middle)]
    if (frame.time - time > maxDelay) return []
    if (lastCut >= start - 0.1 && lastCut <= end + 0.1) return []
    if (time - lastGradual < Math.max(1, end - start)) return []
    lastGradual = time
    return [{ time, kind: 'gradual', score: boundary.score }]
  }

  // No rule finds a boundary later than `maxDelay` after it, so what is older can be handed out in order.
  const release = (found: Boundary[], now: number): Boundary[] => {
    if (found.length > 0) pending = [...pending, ...found].sort((a, b) => a.time - b.time)
    const open = pending.findIndex(({ time }) => time > now - maxDelay)
    return pending.splice(0, open < 0 ? pending.length : open)
  }

  return {
    push(frame) {
      const before = fast.count > 0 ? fast.at(fast.count - 1).frame : undefined
      fast.push(measured(frame, before))
      const cuts = cutsUpTo(isReady)
      return release(settings.gradual ? [...cuts, ...gradual(frame)] : cuts, frame.time)
    },
    finish() {
      const cuts = cutsUpTo(() => true)
      return release(cuts, Number.POSITIVE_INFINITY)
    },
    save: (): Saved => ({
      fast: fast.save(),
      slow: slow.save(),
      held: pending,
      undecided,
      firstPicture,
      lastCut,
      lastGradual,
    }),
    restore(saved) {
      const state = saved as Saved
      fast.restore(state.fast)
      slow.restore(state.slow)
      ;({ held: pending, undecided, firstPicture, lastCut, lastGradual } = state)
    },
  }
}

function measured(frame: SmallFrame, before: SmallFrame | undefined, known?: number): MeasuredFrame {
  const { difference, changed } = before ? change(frame, before) : { difference: 0, changed: 0 }
  return { frame, difference, changed, contrast: known ?? contrast(frame) }
}

// How many neighbours on either side a frame is compared with. Drawings and recorded screens move a few times a second, so a
// picture that stands still for moments is compared with more of them.
const cutWindow = { frames: 3, seconds: 0.2, stillSeconds: 0.6, max: 60 }
const flashSeconds = 0.4
// In grey levels; the ratio is that of a step to those around it.
const newPicture = { step: 12, ratio: 5, largeStep: 30, largeRatio: 2.3 }
const nextSlide = { step: 1, changed: 0.03, stillStep: 0.7, stillChanged: 0.02, ratio: 6, changedRatio: 4 }

// A frame begins a new shot when it differs from the one before by far more than its neighbours do, and what follows is not again
// what was before. Two ways: a whole new picture, or a still picture in which something changes at one stroke (the next slide).
function cutScore(frames: FrameWindow, index: number, sensitivity: number): number {
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
const cutLookahead = Math.max(cutWindow.stillSeconds, flashSeconds)
