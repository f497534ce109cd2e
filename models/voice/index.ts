import { family } from '../../src/core/backend.ts'
import type { VoiceFinder } from '../../src/core/services.ts'

export const voiceFinders = family<VoiceFinder>('voice', {
  silero: () => import('./silero.ts'),
  energy: () => import('./energy.ts'),
})
