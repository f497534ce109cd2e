import { family } from '../../src/core/backend.ts'
import type { Listener } from '../../src/core/services.ts'

export const listeners = family<Listener>('hear', {
  signal: () => import('./signal.ts'),
})
