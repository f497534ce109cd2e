import { family } from '../../src/core/backend.ts'
import type { Detector } from '../../src/core/services.ts'

// Finds things in a frame. Every profile has this role off until somebody asks for it.
export const detectors = family<Detector>('detect', {
  owl: () => import('./owl.ts'),
  vlm: () => import('./vlm.ts'),
})
