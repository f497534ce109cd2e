import { family } from '../../src/core/backend.ts'
import type { Reranker } from '../../src/core/services.ts'

// Rates how well each line answers a query, from 1 (not) to 4 (fully), with a reason.
export const rerankers = family<Reranker>('rerank', {
  chat: () => import('./chat.ts'),
  'cross-encoder': () => import('./cross-encoder.ts'),
  none: () => import('./none.ts'),
})
