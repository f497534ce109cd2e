import { family } from '../../src/core/backend.ts'
import type { ImageEncoder } from '../../src/core/services.ts'

// Turns frames and words into vectors of one space.
export const imageEncoders = family<ImageEncoder>('embed-image', {
  'colour-layout': () => import('./colour-layout.ts'),
})
