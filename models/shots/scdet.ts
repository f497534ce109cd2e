import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { ShotFinder, SmallFrame } from '../../src/core/services.ts'
import { planeDifference } from './compare.ts'

const Settings = z.strictObject({
  threshold: z.number().min(0).max(100).default(10).describe('per cent of the full range'),
  shortestShot: z.number().min(0).max(10).default(0.2).describe('seconds; boundaries closer than this are one'),
})
type Settings = z.infer<typeof Settings>

const backend: Backend<ShotFinder, Settings> = {
  summary: 'the measure of ffmpeg\'s "scdet" filter on small frames: cuts only, one threshold',
  version: '1',
  selfContained: true,
  settings: Settings,
  open: async settings => createFinder(settings),
}
export default backend

interface Saved {
  before: SmallFrame | undefined
  lastDifference: number
  lastCut: number
}

// ffmpeg's measure: the mean absolute difference to the frame before, or how much that differs from the last one, whichever is less;
// a steady motion scores low that way. On 64x36 planes instead of the full picture, so scores are not quite ffmpeg's.
function createFinder({ threshold, shortestShot }: Settings): ShotFinder {
  let before: SmallFrame | undefined
  let lastDifference = 0
  let lastCut = Number.NEGATIVE_INFINITY
  return {
    push(frame) {
      if (!before) {
        before = frame
        return []
      }
      const mean =
        (planeDifference(frame.y, before.y) * 4 +
          planeDifference(frame.u, before.u) +
          planeDifference(frame.v, before.v)) /
        6
      const difference = (mean * 100) / 255
      const score = Math.min(difference, Math.abs(difference - lastDifference))
      before = frame
      lastDifference = difference
      if (score < threshold || frame.time - lastCut < shortestShot) return []
      lastCut = frame.time
      return [{ time: frame.time, kind: 'cut', score }]
    },
    finish: () => [],
    save: (): Saved => ({ before, lastDifference, lastCut }),
    restore: saved => {
      ;({ before, lastDifference, lastCut } = saved as Saved)
    },
  }
}
