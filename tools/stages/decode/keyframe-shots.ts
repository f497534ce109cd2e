import type { Boundary, ShotFinder, SmallFrame } from '../../../src/core/services.ts'
import { changeBetween } from './sampling.ts'

const anyChange = 6 // grey levels between two keyframes
const wholeChange = 35
const early = 0.9 // of the usual distance

interface FrameStep {
  time: number
  gap: number
  change: number
}

// Shots from keyframes only: encoders set one early where the picture is new, so an early one that looks different begins a shot.
// One that comes when it was due tells less, and counts only where nothing looks as before.
export function keyframeShots(): ShotFinder {
  const steps: FrameStep[] = []
  let before: SmallFrame | undefined
  return {
    push(frame) {
      if (before)
        steps.push({ time: frame.time, gap: frame.time - before.time, change: changeBetween(frame.y, before.y).mean })
      before = frame
      return []
    },
    finish() {
      const gaps = steps.map(step => step.gap).sort((a, b) => a - b)
      const usual = gaps[Math.floor(gaps.length * 0.9)] ?? 0
      return steps
        .filter(({ gap, change }) => change >= (gap < early * usual ? anyChange : wholeChange))
        .map(({ time, change }): Boundary => ({ time, kind: 'cut', score: change }))
    },
  }
}
