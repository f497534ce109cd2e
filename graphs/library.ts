import { UsageError } from '../src/core/errors.ts'
import type { Blueprint } from './compile.ts'
import { compose } from './library/compose.ts'
import { find } from './library/find.ts'
import { inside } from './library/inside.ts'

// A question over all videos: find -> ask, in one video after another -> compose. Inside a video the ordinary agent answers, with its
// own policies; here only the limits, the check of what is written and the length of prompts hold.
export default {
  nodes: {
    find: { work: find, next: ['ask', 'compose'] },
    ask: { work: inside, next: ['ask', 'compose'] },
    compose: { work: compose, next: [] },
  },
  policies: ({ budgets, compaction, verifier }) => ({ budgets, compaction, verifier }),
  unlimited: { steps: 64, tokens: Number.MAX_SAFE_INTEGER, frames: Number.MAX_SAFE_INTEGER, seconds: 86_400 },
  parts(given) {
    if (given.library) return given
    throw new UsageError('The graph "library" asks over all videos, not about one.', {
      hint: 'For example: longtake ask --library "Which video shows a lighthouse?"',
    })
  },
} satisfies Blueprint
