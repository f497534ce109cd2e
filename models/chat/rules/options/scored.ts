import type { Evidence } from '../../../../src/core/evidence.ts'

// How well an option fits, 0..1, and the rows that say so.
export interface Scored {
  score: number
  rows: Evidence[]
}
