import { cardOf } from '../../src/core/calls/tool-card.ts'
import type { ChatReply, ToolCall } from '../../src/core/chat.ts'
import { askModel } from '../asking/ask-model.ts'
import { exhausted } from '../asking/budget.ts'
import { withoutEqualCalls } from '../calls/equal-calls.ts'
import { helperRounds } from '../helper/set-aside.ts'
import { planRequest } from '../prompts/planner.ts'
import type { AgentSession, NamedPolicy, Steering } from '../session.ts'
import { openSight, type PlannerSight } from '../sight/planner-sight.ts'
import { learnRemarks, remindPlanner, silentLookNotes } from '../sight/remarks.ts'
import type { Done, RunState, Update } from '../state.ts'

// Asks the planner what to call next. Whether it may go on, and what it must not leave out, the policies say.
export async function plan(session: AgentSession, state: RunState): Promise<Done> {
  const decision = await decide(session, state)
  if (decision.goto !== 'draft') return decision
  const notes = [...(decision.update.notes ?? []), ...silentLookNotes(session, state)]
  return notes.length > 0 ? { ...decision, update: { ...decision.update, notes } } : decision
}

async function decide(session: AgentSession, state: RunState): Promise<Done> {
  const { parts } = session
  const used = state.round + helperRounds(state.steps)
  const stop = session.stopped() ?? exhausted(session.usage(), parts.budget, used)
  if (stop) return { goto: 'draft', update: { stop } }
  const steered = steer(session, state)
  if (steered.stuck) {
    const { calls, forced } = callsBeforeAnswer(session, state)
    return calls.length > 0 ? goAct(calls, forced) : { goto: 'draft', update: {} }
  }
  const sight = await openSight(session, state)
  const outcome = await ask(session, state, steered, sight)
  const notes = [...(outcome.update.notes ?? []), ...(sight?.notes() ?? [])]
  return notes.length > 0 ? { ...outcome, update: { ...outcome.update, notes } } : outcome
}

async function ask(session: AgentSession, state: RunState, steered: Steered, sight?: PlannerSight): Promise<Done> {
  const { parts } = session
  const used = state.round + helperRounds(state.steps)
  const tools = parts.tools.map(cardOf)
  const reply = await askModel(
    session,
    'planner',
    () =>
      planRequest(
        {
          state: session.now(state),
          turns: session.turns,
          coverage: parts.index.coverage,
          overview: parts.index.overview,
          people: parts.index.people,
          round: state.round,
          roundsLeft: parts.budget.steps - used,
          hints: [...state.hints, ...steered.hints],
          resultCharacters: session.lengths().results,
          share: session.promptShare,
          vision: parts.vision,
          view: sight?.view(),
        },
        tools,
      ),
    error => sight?.refused(error) ?? false,
  )
  if (session.stopped()) return { goto: 'draft', update: { stop: session.stopped() } }
  if (reply) session.watch({ type: 'plan', round: state.round, text: planText(reply) })
  const pictures = sight?.view().all ?? []
  if (reply) learnRemarks(session, reply.text, state, pictures)
  const replies = reply?.text.trim() ? [{ before: '', text: reply.text, calls: reply.calls, round: state.round }] : []
  if (reply && reply.calls.length > 0)
    return goAct([...steered.calls, ...reply.calls], steered.forced, { idle: 0, replies })

  const { calls, forced } = callsBeforeAnswer(session, state)
  if (calls.length > 0) return goAct(calls, forced, { replies })
  const reminder = reply && remindPlanner(session, state, pictures)
  if (reminder) return { goto: 'plan', update: { ...reminder, replies } }
  const silent = reply !== undefined && reply.text.trim() === ''
  if (silent && state.idle === 0 && session.ledger.size === 0)
    return { goto: 'plan', update: { idle: 1, hints: ['The last reply was empty. Call a tool, or reply READY.'] } }
  if (silent && state.idle > 0) return { goto: 'draft', update: { notes: [handedOver] } }
  return { goto: 'draft', update: reply ? {} : { stop: 'failed' } }
}

const handedOver = 'The planner gave no usable reply; the answer rests on what searches by code found.'

function goAct(calls: ToolCall[], forced: string[], more: Update = {}): Done {
  return { goto: 'act', update: { ...more, calls, hints: [], forced } }
}

type Steered = ReturnType<typeof steer>

function steer(session: AgentSession, state: RunState) {
  const now = session.now(state)
  let all: { policy: NamedPolicy; steering: Steering }[] = []
  const fresh = freshCalls(session, state, forced => {
    all = session.policies.map(policy => ({ policy, steering: policy.steer?.(session, { ...now, forced }) ?? {} }))
    return all.flatMap(({ policy, steering }) => callsBy(policy, steering.calls, forced))
  })
  const steerings = all.map(({ steering }) => steering)
  return { ...fresh, stuck: steerings.some(one => one.stuck), hints: steerings.flatMap(({ hints = [] }) => hints) }
}

// What the policies still want looked for when the planner is ready to answer.
function callsBeforeAnswer(session: AgentSession, state: RunState) {
  const now = session.now(state)
  return freshCalls(session, state, forced => {
    const policyCalls: ToolCall[] = []
    for (const policy of session.policies)
      policyCalls.push(...callsBy(policy, policy.calls?.(session, { ...now, forced }, policyCalls), forced))
    return policyCalls.slice(0, session.parts.policy.callsPerRound)
  })
}

// Calls of policies that equal none of before; a policy whose calls do is asked for its next. Ends, as each id comes once in a run.
function freshCalls(session: AgentSession, state: RunState, wantedCalls: (forced: string[]) => ToolCall[]) {
  const forced: string[] = []
  for (;;) {
    const policyCalls = wantedCalls([...state.forced, ...forced])
    const calls = withoutEqualCalls(session, state.steps, policyCalls)
    forced.push(...policyCalls.map(({ id }) => id))
    if (calls.length > 0 || policyCalls.length === 0) return { calls, forced }
  }
}

function callsBy({ name }: NamedPolicy, calls: readonly ToolCall[] = [], forced: readonly string[]): ToolCall[] {
  return calls.filter(call => !forced.includes(call.id)).map(call => ({ ...call, by: name }))
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
