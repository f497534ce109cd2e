import { UsageError } from '../src/core/errors.ts'
import { openFrameStore } from '../src/core/sight/frame-rows.ts'
import { concludeAnswer } from './answer/conclude-answer.ts'
import type { Blueprint } from './compile.ts'
import { conversationNode } from './conversation/ask.ts'
import { checkClaims } from './conversation/check-claims.ts'
import { converse } from './conversation/converse.ts'
import { openConversation } from './conversation/first-request.ts'
import { converseTools } from './conversation/tools.ts'
import { goOnFirmly } from './helper/go-on-firmly.ts'
import { helperOf } from './helper/run-helper.ts'
import investigate from './investigate.ts'
import { act } from './nodes/act.ts'

// The graph for capable models: one conversation that only grows. The model sees the timed index and frames, calls few tools, and
// answers by a call. Code checks the answer once and does not steer the search.
const blueprint = {
  nodes: {
    open: { work: openConversation, next: ['model'] },
    model: { work: conversationNode(converse), next: ['tools', 'model', 'check', 'answer', 'firm'] },
    tools: { work: act, next: ['model'] },
    check: { work: checkClaims, next: ['model', 'answer'] },
    answer: { work: concludeAnswer, next: [] },
    firm: { work: goOnFirmly, next: [] },
  },
  policies: ({ compaction }) => ({ compaction }),
} satisfies Blueprint

export default {
  ...blueprint,
  parts(given) {
    if (!given.planner.accepts.has('text'))
      throw new UsageError(`The graph converse needs a language model as planner, and ${given.planner.id} is none.`, {
        hint: 'Choose one with --model, or ask with --graph investigate.',
      })
    const frameStore = openFrameStore()
    const ownParts = { frameStore, tools: converseTools(given, frameStore), helper: helperOf(blueprint) }
    return { ...given, ...ownParts, firm: { run: helperOf(investigate), tools: given.tools } }
  },
} satisfies Blueprint
