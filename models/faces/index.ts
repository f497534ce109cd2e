import { family } from '../../src/core/backend.ts'
import type { FaceFinder } from '../../src/core/services.ts'

// Faces in a frame, and whose they are where pictures of people were given. Off until somebody asks for it.
export const faceFinders = family<FaceFinder>('faces', {
  yunet: () => import('./yunet.ts'),
  vlm: () => import('./vlm.ts'),
})
