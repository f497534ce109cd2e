import type { ChatReply, ToolCall } from '../../src/core/chat.ts'
import { exhausted } from '../policy/budgets.ts'
import { emptyRounds, isStuck, noveltyHint, recovery } from '../policy/novelty-guard.ts'
import { planRequest } from '../prompts.ts'
import type { Session } from '../session.ts'
import { cardOf } from '../tool-schema.ts'
import { askModel } from './ask-model.ts'
import { callsBeforeAnswer } from './calls-before-answer.ts'
import type { Change, RunState } from './run-state.ts'

// Asks the planner what to call next. Whether it may go on, and what it must not leave out, is decided here.
export async function plan(session: Session, state: RunState): Promise<Change> {
  const { parts } = session
  const { policy, budget } = parts
  const stop = session.stopped() ?? exhausted(session.state(state.agent, {}), budget, state.round, session.elapsed())
  if (stop) return { agent: session.state(state.agent, { stop }), next: 'draft' }
  const guard = guardOf(session, state)
  if (guard === 'stuck') {
    const left = callsBeforeAnswer(session, state)
    return left.length > 0 ? go(state, left, left) : { next: 'draft' }
  }

  const hints = [...state.hints, ...(guard.hint ? [guard.hint] : [])]
  const tools = parts.tools.map(cardOf)
  const reply = await askModel(session, 'planner', share =>
    planRequest(
      {
        state: session.state(state.agent, {}),
        turns: session.turns,
        coverage: parts.index.coverage,
        overview: policy.overviewFirst ? parts.index.overview : undefined,
        round: state.round,
        roundsLeft: budget.steps - state.round,
        hints,
        resultCharacters: policy.compaction ? policy.resultCharacters * share : Number.POSITIVE_INFINITY,
        share,
      },
      tools,
    ),
  )
  const agent = session.state(state.agent, {})
  if (session.stopped()) return { agent: session.state(agent, { stop: session.stopped() }), next: 'draft' }
  if (reply) parts.watch({ type: 'plan', round: state.round, text: planText(reply) })
  if (reply && reply.calls.length > 0)
    return { ...go(state, [...guard.calls, ...reply.calls], guard.calls), agent, idle: 0 }

  const forced = callsBeforeAnswer(session, { ...state, agent })
  if (forced.length > 0) return { ...go(state, forced, forced), agent }
  const silent = reply !== undefined && reply.text.trim() === ''
  if (silent && state.idle === 0 && agent.evidence.length === 0)
    return { agent, idle: 1, hints: ['The last reply was empty. Call a tool, or reply READY.'], next: 'plan' }
  return { agent: reply ? agent : session.state(agent, { stop: 'failed' }), next: 'draft' }
}

function go(state: RunState, calls: ToolCall[], forced: readonly ToolCall[]): Change {
  return { calls, hints: [], forced: [...state.forced, ...forced.map(call => call.id)], next: 'act' }
}

// What the novelty guard has to say to the planner, and the call that it makes itself.
function guardOf(session: Session, { agent, round, forced }: RunState): 'stuck' | { hint?: string; calls: ToolCall[] } {
  const { policy, tools } = session.parts
  if (!policy.noveltyGuard) return { calls: [] }
  if (isStuck(agent.steps, round)) return 'stuck'
  const empty = emptyRounds(agent.steps, round)
  const names = tools.map(tool => tool.name)
  const calls = empty > 0 ? recovery(session.state(agent, {}), names, forced) : []
  if (empty > 1 && calls.length === 0) return 'stuck'
  return { hint: noveltyHint(agent.steps, round), calls }
}

function planText(reply: ChatReply): string {
  const text = reply.text.trim()
  if (text) return text.slice(0, 4000)
  return reply.calls
    .map(call => `${call.name} ${shortJson(call.arguments)}`)
    .join('\n')
    .slice(0, 4000)
}

function shortJson(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? '').slice(0, 500)
  } catch {
    return '(no JSON)'
  }
}
