import { family } from '../../src/core/backend.ts'
import type { ChatModel } from '../../src/core/chat.ts'

// A family of its own, so that a test opens simulated sight as the product opens a model.
export const simulatedModels = family<ChatModel>('chat', { simulated: () => import('./simulated-sight.ts') })
