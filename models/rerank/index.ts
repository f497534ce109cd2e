import { family } from '../../src/core/backend.ts'
import type { Reranker } from '../../src/core/services.ts'

// How well each found line answers a query, from 1 (no) to 4 (fully), with a reason.
export const rerankers = family<Reranker>('rerank', {
  chat: () => import('./chat.ts'),
  'cross-encoder': () => import('./cross-encoder.ts'),
  none: () => import('./none.ts'),
})
