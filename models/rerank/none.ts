import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { Reranker } from '../../src/core/services.ts'

const settings = z.strictObject({})

// Gives every line the same rating, which keeps the order of the search and drops nothing.
const none: Backend<Reranker, z.infer<typeof settings>> = {
  summary: 'rates nothing and keeps the order of the search',
  version: '1',
  standIn: true,
  selfContained: true,
  settings,
  async open() {
    return {
      async rate(_query, passages, signal) {
        signal.throwIfAborted()
        return passages.map(() => ({ relevance: 3, reason: 'not rated' }))
      },
    }
  },
}

export default none
