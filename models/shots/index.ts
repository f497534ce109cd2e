import { family } from '../../src/core/backend.ts'
import type { ShotFinder } from '../../src/core/services.ts'

// A finder holds the state of one video: open a new one for each.
export const shotFinders = family<ShotFinder>('shots', {
  'frame-difference': () => import('./frame-difference.ts'),
  scdet: () => import('./scdet.ts'),
  fixed: () => import('./fixed.ts'),
})
