import { setMaxListeners } from 'node:events'
import type { RunEvent } from '../../src/core/agent.ts'
import { indexWithin, toolWithin } from '../../src/core/calls/within-span.ts'
import { UsageError } from '../../src/core/errors.ts'
import { contentHash } from '../../src/core/json.ts'
import { clampSpan } from '../../src/core/time.ts'
import type { Focused, FocusWish, ToolContext } from '../../src/core/tool.ts'
import { helperRounds } from '../meter.ts'
import type { AgentSession } from '../session.ts'
import type { RunState } from '../state.ts'
import { innerParts } from './run-helper.ts'

const share = 1 / 3 // of what is left of the budget
const mostUnknown = 4

// What lets a call send out a helper; undefined if nobody may.
export function chooseFocus(session: AgentSession, state: RunState): ToolContext['focus'] {
  const { helper, tools } = session.parts
  if (!helper || !tools.some(tool => tool.sends === 'helper')) return undefined
  setMaxListeners(0, session.meter.signal) // several helpers wait on it
  const rounds = state.round + 1 + helperRounds(state.steps) // with the one that is under way
  return async wish => {
    const set = session.meter.setAside(share, rounds)
    if (!set)
      throw new UsageError('Too little of the budget is left to send out a helper.', {
        hint: 'Look yourself, or answer with what there is.',
      })
    try {
      return await focus(session, wish, set.budget)
    } finally {
      set.release()
    }
  }
}

// The same agent with nothing in mind but the question: its own ledger and rounds, the same permissions, no helper of its own. What
// comes back is what held in its check, with the rows that it cites, and not all that it has read.
async function focus(
  session: AgentSession,
  wish: FocusWish,
  budget: AgentSession['parts']['budget'],
): Promise<Focused> {
  const { parts } = session
  const { helper, toolsOf = () => parts.tools } = parts
  const span = clampSpan(wish.span, parts.index.coverage.duration)
  const index = indexWithin(parts.index, span)
  const tools = toolsOf(`focus ${contentHash(wish).slice(0, 12)}`)
  const inner = innerParts(session, {
    index,
    span,
    tools: tools.filter(({ kind }) => kind !== 'memory').map(tool => toolWithin(tool, span)),
    context: { ...session.context, index },
    policy: { ...parts.policy, votes: false },
    answerStyle: 'short',
    budget,
  })
  const begun = { question: { text: wish.question }, fit: { ...session.fit.plain(), share: 1, picturesGone: 0 } }
  const helperState = await helper?.(inner, begun, event => forward(session, wish, event))
  session.meter.signal.throwIfAborted()
  if (!helperState?.result) throw new Error('The helper ended without an answer.')
  const citedSentences = helperState.result.sentences.filter(({ cites }) => cites.length > 0)
  const sentences = helperState.result.abstained ? [] : citedSentences.map(({ text, cites }) => ({ text, cites }))
  const cited = new Set(sentences.flatMap(({ cites }) => cites))
  return {
    sentences,
    evidence: helperState.evidence.filter(({ id }) => cited.has(id)),
    unknown: (helperState.result.unknown ?? []).slice(0, mostUnknown),
    confidence: helperState.result.confidence,
    ...(helperState.stop && helperState.stop !== 'answered' ? { ended: helperState.stop } : {}),
    steps: helperState.steps.map(({ helper: _, ...step }) => step),
    spent: helperState.spent,
  }
}

// What a person who waits wants to see; rows come with its findings.
function forward(session: AgentSession, { question }: FocusWish, event: RunEvent): void {
  if (['plan', 'tool-start', 'tool-end', 'note'].includes(event.type))
    session.watch({ type: 'helper', question, event })
}
