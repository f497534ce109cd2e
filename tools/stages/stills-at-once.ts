import { memoryBound } from '../../src/core/memory-bound.ts'

// How many stills are worked on in one go: few where memory is bound.
export function stillsAtOnce(usual: number): number {
  return memoryBound() ? Math.min(usual, 2) : usual
}
