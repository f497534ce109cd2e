import { UsageError } from '../src/core/errors.ts'
import { openFrameStore } from '../src/core/sight/frame-rows.ts'
import { concludeAnswer } from './answer/conclude-answer.ts'
import type { Blueprint } from './compile.ts'
import { conversationNode } from './conversation/ask.ts'
import { checkClaims } from './conversation/check-claims.ts'
import { converse } from './conversation/converse.ts'
import { openConversation } from './conversation/first-request.ts'
import { converseTools } from './conversation/tools.ts'
import { forwardEvent, innerParts, openHelper, shiftedStep } from './helper/run-helper.ts'
import investigate from './investigate.ts'
import { act } from './nodes/act.ts'
import type { AgentSession } from './session.ts'
import type { Done, RunState } from './state.ts'

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
    const ownParts = { frameStore, tools: converseTools(given, frameStore), helper: openHelper(blueprint) }
    return { ...given, ...ownParts, firm: { run: openHelper(investigate), tools: given.tools } }
  },
} satisfies Blueprint

// Goes on with `investigate`, which asks little of its models, from what was found so far: the model of a conversation turned out to call
// no tools and to answer nothing.
async function goOnFirmly(session: AgentSession, state: RunState): Promise<Done> {
  const { parts, context, meter, ledger } = session
  const { budget } = parts
  const spent = meter.usage()
  const budgetLeft = {
    steps: Math.max(1, budget.steps - state.round),
    tokens: budget.tokens - spent.inputTokens - spent.outputTokens,
    frames: Math.max(1, budget.frames - spent.frames),
    seconds: budget.seconds - spent.seconds,
    ...(budget.money !== undefined && { money: budget.money - spent.money }),
  }
  const { question, turns, notes, permits } = state
  const firmState = await parts.firm?.run(
    innerParts(session, { tools: parts.firm.tools, budget: budgetLeft }),
    { question, turns, permits, evidence: ledger.all(), notes },
    event => forwardEvent(session, event, state.round),
  )
  if (!firmState) throw new Error('This graph has no "investigate" to go on with.')
  context.spend(firmState.spent)
  ledger.learn(firmState.evidence)
  session.failures.push(...firmState.failures)
  const steps = firmState.steps.map(step => shiftedStep(step, state.round))
  const { written, verdicts, weighed, result, stop } = firmState
  return { update: { steps, round: state.round + firmState.round, written, verdicts, weighed, result, stop } }
}
