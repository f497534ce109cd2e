import { UsageError } from '../src/core/errors.ts'
import type { Blueprint } from './compile.ts'
import { checkClaims } from './converse/check-claims.ts'
import { concludeAnswer } from './converse/conclude-answer.ts'
import { openConversation } from './converse/first-request.ts'
import { openFrameStore } from './converse/frames.ts'
import { askConversation } from './converse/model-node.ts'
import { converseTools } from './converse/tools.ts'
import { helperOf } from './helper/run-helper.ts'
import { act } from './nodes/act.ts'

// The graph for capable models: one conversation that only grows. The model sees the timed index and frames, calls few tools, and
// answers by a call. Code checks the answer once and does not steer the search.
const converse = {
  nodes: {
    open: { work: openConversation, next: ['model'] },
    model: { work: askConversation, next: ['tools', 'model', 'check', 'answer'] },
    tools: { work: act, next: ['model'] },
    check: { work: checkClaims, next: ['model', 'answer'] },
    answer: { work: concludeAnswer, next: [] },
  },
  policies: ({ compaction }) => ({ compaction }),
} satisfies Blueprint

export default {
  ...converse,
  parts(given) {
    if (!given.planner.accepts.has('text'))
      throw new UsageError(`The graph converse needs a language model as planner, and ${given.planner.id} is none.`, {
        hint: 'Choose one with --model, or ask with --graph investigate.',
      })
    const frameStore = openFrameStore()
    return { ...given, frameStore, tools: converseTools(given, frameStore), helper: helperOf(converse) }
  },
} satisfies Blueprint
