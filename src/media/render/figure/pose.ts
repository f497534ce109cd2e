import type { Doing } from '../scene.ts'

// How the limbs are at a moment. Lengths are fractions of the figure's height; x to the right of its middle, y down from its feet.
export interface Pose {
  lift: number // off the ground
  sunk: number // how much lower the body is than when it stands
  stride: number // -1..1, which foot is in front
  arm: number | undefined // -1..1, a raised arm on its way; undefined: it hangs
}

const steps = 8

const seconds: Record<Doing, number> = { stands: 0, walks: 0.8, waves: 0.8, sits: 0, jumps: 1.2 }

// Which of the pictures of a movement a moment shows, so that each is drawn once.
export function stepAt(doing: Doing, time: number): number {
  const period = seconds[doing]
  return period === 0 ? 0 : Math.floor((time / period) * steps) % steps
}

export function poseAt(doing: Doing, step: number): Pose {
  const still: Pose = { lift: 0, sunk: 0, stride: 0, arm: undefined }
  const turn = (step / steps) * Math.PI * 2
  switch (doing) {
    case 'stands':
      return still
    case 'walks':
      return { ...still, stride: Math.sin(turn) }
    case 'waves':
      return { ...still, arm: Math.sin(turn) }
    case 'sits':
      return { ...still, sunk: 0.2 }
    case 'jumps':
      return { ...still, lift: 0.22 * Math.max(0, Math.sin(turn)), arm: 0 }
  }
}
