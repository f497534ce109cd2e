import { family } from '../../src/core/backend.ts'
import type { ImageEncoder } from '../../src/core/services.ts'

export const imageEncoders = family<ImageEncoder>('embedImage', {
  siglip: () => import('./siglip.ts'),
  clip: () => import('./clip.ts'),
  'colour-layout': () => import('./colour-layout.ts'),
})
