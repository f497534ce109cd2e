import type { Boundary, ShotFinder, SmallFrame } from '../../src/core/services.ts'
import { change, contrast } from './compare.ts'
import { cutLookahead, cutScore, cutWindow } from './cut-rule.ts'
import { FrameWindow, type Measured, type SavedWindow } from './frame-window.ts'
import { dipAt, gradualAt, gradualFrames, gradualStep, plain } from './gradual-rule.ts'
import { InOrder } from './in-order.ts'

const mostAhead = 75 // frames, at very high rates
const latest = 1.9 // seconds after a boundary in which it is found, at 10 frames a second and more

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
  const order = new InOrder(latest)
  let undecided = 1
  let firstPicture = 0 // of the slow frames: the first that is not plain
  let lastCut = Number.NEGATIVE_INFINITY
  let lastGradual = Number.NEGATIVE_INFINITY

  const isReady = (index: number) => {
    const ahead = fast.count - 1 - index
    if (ahead < cutWindow.frames) return false
    return ahead >= mostAhead || fast.time(fast.count - 1) - fast.time(index) > cutLookahead
  }

  const cutsUpTo = (ready: (index: number) => boolean): Boundary[] => {
    const found: Boundary[] = []
    for (; undecided < fast.count && ready(undecided); undecided++) {
      const time = fast.time(undecided)
      if (time - lastCut < shortestShot) continue
      const score = cutScore(fast, undecided, sensitivity)
      if (score === 0) continue
      lastCut = time
      found.push({ time, kind: 'cut', score })
    }
    return found
  }

  const gradual = (frame: SmallFrame): Boundary[] => {
    const before = slow.count > 0 ? slow.at(slow.count - 1).frame : undefined
    if (before && frame.time - before.time < gradualStep) return []
    slow.push(measured(frame, before, fast.at(fast.count - 1).contrast))
    if (firstPicture === slow.count - 1 && slow.at(firstPicture).contrast < plain) firstPicture++
    const found = dipAt(slow) ?? gradualAt(slow, { sensitivity, firstPicture })
    if (!found) return []
    const [start, end, time] = [found.first, found.last, found.middle].map(index => slow.time(index))
    if (frame.time - time > latest) return []
    if (lastCut >= start - 0.1 && lastCut <= end + 0.1) return []
    if (time - lastGradual < Math.max(1, end - start)) return []
    lastGradual = time
    return [{ time, kind: 'gradual', score: found.score }]
  }

  return {
    push(frame) {
      const before = fast.count > 0 ? fast.at(fast.count - 1).frame : undefined
      fast.push(measured(frame, before))
      const cuts = cutsUpTo(isReady)
      return order.release(settings.gradual ? [...cuts, ...gradual(frame)] : cuts, frame.time)
    },
    finish: () =>
      order.release(
        cutsUpTo(() => true),
        Number.POSITIVE_INFINITY,
      ),
    save: (): Saved => ({
      fast: fast.save(),
      slow: slow.save(),
      held: order.held,
      ...{ undecided, firstPicture, lastCut, lastGradual },
    }),
    restore(saved) {
      const known = saved as Saved
      fast.restore(known.fast)
      slow.restore(known.slow)
      order.hold(known.held)
      ;({ undecided, firstPicture, lastCut, lastGradual } = known)
    },
  }
}

function measured(frame: SmallFrame, before: SmallFrame | undefined, known?: number): Measured {
  const { difference, changed } = before ? change(frame, before) : { difference: 0, changed: 0 }
  return { frame, difference, changed, contrast: known ?? contrast(frame) }
}
