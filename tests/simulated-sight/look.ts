import type { Script } from '../../src/media/render/scene.ts'
import type { Errors } from './errors.ts'
import type { Truth } from './truth.ts'

// A frame with what is truly on it.
export interface TrueFrame {
  at: number // its place in the request, from 0
  time: number
  cells: number
  truth: Truth
}

// All that a scene is made out from: its frames alone, and nothing between them.
export interface Look {
  script: Script
  errors: Errors
  smallest: number
  scene: number
  frames: TrueFrame[]
}

const bucketSeconds = 2 // looks that first see a thing within one of these see it alike

export function timeBucket({ time }: Pick<TrueFrame, 'time'>): number {
  return Math.floor(time / bucketSeconds)
}
