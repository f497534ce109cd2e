import { family } from '../../src/core/backend.ts'
import type { SpeakerFinder } from '../../src/core/services.ts'

export const speakerFinders = family<SpeakerFinder>('speakers', {
  sherpa: () => import('./sherpa.ts'),
})
