import type { ChatReply } from '../../src/core/chat.ts'
import { BackendError, errorText } from '../../src/core/errors.ts'
import { exhausted } from '../policy/budgets.ts'
import { scanBefore } from '../policy/exhaustive-scan.ts'
import { lookFirst } from '../policy/look-first.ts'
import { isStuck, noveltyHint } from '../policy/novelty-guard.ts'
import type { Route } from '../policy/routing.ts'
import { planRequest } from '../prompts.ts'
import type { Session } from '../session.ts'
import { cardOf } from '../tool-schema.ts'
import type { Change, RunState } from './run-state.ts'

// Asks the planner what to call next. Whether it may go on, and what it must not leave out, is decided here.
export async function plan(session: Session, state: RunState): Promise<Change> {
  const { parts } = session
  const { policy, budget } = parts
  const stop = session.stopped() ?? exhausted(session.state(state.agent, {}), budget, state.round, session.elapsed())
  if (stop) return { agent: session.state(state.agent, { stop }), next: 'draft' }
  if (policy.noveltyGuard && isStuck(state.agent.steps, state.round)) return { next: 'draft' }

  const hint = policy.noveltyGuard ? noveltyHint(state.agent.steps, state.round) : undefined
  const hints = [...state.hints, ...(hint ? [hint] : [])]
  const input = {
    state: session.state(state.agent, {}),
    turns: session.turns,
    coverage: parts.index.coverage,
    overview: policy.overviewFirst ? parts.index.overview : undefined,
    round: state.round,
    roundsLeft: budget.steps - state.round,
    hints,
    resultCharacters: policy.resultCharacters,
  }
  const reply = await replyOf(session, () => session.ask(parts.planner, planRequest(input, parts.tools.map(cardOf))))
  if (!reply) {
    const ended = session.stopped() ?? 'failed'
    return { agent: session.state(state.agent, { stop: ended }), next: 'draft' }
  }
  parts.watch({ type: 'plan', round: state.round, text: planText(reply) })
  const agent = session.state(state.agent, {})
  if (reply.calls.length > 0) return { agent, calls: reply.calls, hints: [], idle: 0, next: 'act' }

  const names = parts.tools.map(tool => tool.name)
  const forced = [
    ...(policy.exhaustiveScan ? scanBefore(agent.route as Route, agent.question, agent.steps, names) : []),
    ...(policy.lookBeforeAnswer ? lookFirst(agent, names) : []),
  ]
  if (forced.length > 0) return { agent, calls: forced, hints: [], next: 'act' }
  const silent = reply.text.trim() === ''
  if (silent && state.idle === 0 && agent.evidence.length === 0)
    return { agent, idle: 1, hints: ['The last reply was empty. Call a tool, or reply READY.'], next: 'plan' }
  return { agent, next: 'draft' }
}

// One more try where that may help; undefined, with the reason kept, where it did not.
export async function replyOf(session: Session, ask: () => Promise<ChatReply>): Promise<ChatReply | undefined> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await ask()
    } catch (error) {
      if (session.stopped()) return undefined
      if (error instanceof BackendError && error.retryable && attempt === 0) continue
      session.failures.push(errorText(error))
      session.parts.watch({ type: 'note', text: errorText(error) })
      return undefined
    }
  }
}

function planText(reply: ChatReply): string {
  if (reply.text.trim()) return reply.text.trim()
  return reply.calls.map(call => `${call.name} ${JSON.stringify(call.arguments)}`).join('\n')
}
