import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { Boundary, ShotFinder, SmallFrame } from '../../src/core/services.ts'
import { change, contrast } from './compare.ts'
import { cutLookahead, cutScore, cutWindow } from './cut-rule.ts'
import { FrameWindow } from './frame-window.ts'
import { dipAt, gradualAt, gradualFrames, gradualStep, plain } from './gradual-rule.ts'

const Settings = z.object({
  sensitivity: z.number().min(0.25).max(4).default(1).describe('below 1 finds more boundaries, above 1 fewer'),
  shortestShot: z.number().min(0).max(10).default(0.2).describe('seconds; boundaries closer than this are one'),
  gradual: z.boolean().default(true).describe('also find dissolves, fades and wipes'),
})
type Settings = z.infer<typeof Settings>

const backend: Backend<ShotFinder, Settings> = {
  summary: 'cuts, slide changes, dissolves, fades and wipes from small frames; flashes are not taken for cuts',
  version: '1',
  settings: Settings,
  open: async settings => createFinder(settings),
}
export default backend

const mostAhead = 60 // frames, at very high rates

function createFinder(settings: Settings): ShotFinder {
  const fast = new FrameWindow(160)
  const slow = new FrameWindow(gradualFrames)
  let undecided = 1
  let lastCut = Number.NEGATIVE_INFINITY
  let firstPicture = 0
  let lastGradual = Number.NEGATIVE_INFINITY

  const measure = (frame: SmallFrame, before: SmallFrame | undefined) => {
    const { difference, changed } = before ? change(frame, before) : { difference: 0, changed: 0 }
    return { frame, difference, changed, contrast: contrast(frame) }
  }

  const ready = (index: number) => {
    const ahead = fast.count - 1 - index
    if (ahead < cutWindow.frames) return false
    return ahead >= mostAhead || fast.time(fast.count - 1) - fast.time(index) > cutLookahead
  }

  const decide = (index: number): Boundary[] => {
    const time = fast.time(index)
    if (time - lastCut < settings.shortestShot) return []
    const score = cutScore(fast, index, settings.sensitivity)
    if (score === 0) return []
    lastCut = time
    return [{ time, kind: 'cut', score }]
  }

  const findGradual = (frame: SmallFrame): Boundary[] => {
    const before = slow.count > 0 ? slow.at(slow.count - 1).frame : undefined
    if (before && frame.time - before.time < gradualStep) return []
    slow.push(measure(frame, before))
    if (slow.at(slow.count - 1).contrast < plain && firstPicture === slow.count - 1) firstPicture = slow.count
    const report = (index: number, from: number, to: number, score: number): Boundary[] => {
      const [start, end] = [slow.time(from), slow.time(to)]
      if (lastCut >= start - 0.1 && lastCut <= end + 0.1) return []
      if (slow.time(index) - lastGradual < Math.max(1, end - start)) return []
      lastGradual = slow.time(index)
      return [{ time: lastGradual, kind: 'gradual', score }]
    }
    const dip = dipAt(slow)
    if (dip !== undefined) return report(dip, dip - 3, dip + 3, 1)
    const gradual = gradualAt(slow, { sensitivity: settings.sensitivity, firstPicture })
    return gradual ? report(gradual.middle, gradual.first, gradual.last, gradual.score) : []
  }

  return {
    push(frame) {
      const before = fast.count > 0 ? fast.at(fast.count - 1).frame : undefined
      fast.push(measure(frame, before))
      const found: Boundary[] = []
      while (undecided < fast.count && ready(undecided)) found.push(...decide(undecided++))
      if (settings.gradual) found.push(...findGradual(frame))
      return found
    },
    finish() {
      const found: Boundary[] = []
      while (undecided < fast.count) found.push(...decide(undecided++))
      return found
    },
  }
}
