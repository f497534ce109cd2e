import type { Boundary, ShotFinder, SmallFrame } from '../../src/core/services.ts'
import { change, contrast } from './compare.ts'
import { cutLookahead, cutScore, cutWindow } from './cut-rule.ts'
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
