import type { ChatReply, ToolCall } from '../../src/core/chat.ts'
import { helperRounds } from '../helper/set-aside.ts'
import { planRequest } from '../prompts.ts'
import type { AgentSession, NamedPolicy } from '../session.ts'
import { openSight, type PlannerSight } from '../sight/planner-sight.ts'
import { learnRemarks, remindPlanner, silentLookNotes } from '../sight/remarks.ts'
import type { Done, RunState, Update } from '../state.ts'
import { cardOf } from '../tool-schema.ts'
import { askModel } from './ask-model.ts'
import { exhausted } from './budget.ts'

// Asks the planner what to call next. Whether it may go on, and what it must not leave out, the policies say.
export async function plan(session: AgentSession, state: RunState): Promise<Done> {
  const done = await decide(session, state)
  if (done.goto !== 'draft') return done
  const notes = [...(done.update.notes ?? []), ...silentLookNotes(session, state)]
  return notes.length > 0 ? { ...done, update: { ...done.update, notes } } : done
}

async function decide(session: AgentSession, state: RunState): Promise<Done> {
  const { parts } = session
  const used = state.round + helperRounds(state.steps)
  const stop = session.stopped() ?? exhausted(session.usage(), parts.budget, used)
  if (stop) return { goto: 'draft', update: { stop } }
  const steered = steer(session, state)
  if (steered.stuck) {
    const left = callsBeforeAnswer(session, state)
    return left.length > 0 ? goAct(left, left) : { goto: 'draft', update: {} }
  }
  const sight = await openSight(session, state)
  const done = await ask(session, state, steered, sight)
  const notes = [...(done.update.notes ?? []), ...(sight?.notes() ?? [])]
  return notes.length > 0 ? { ...done, update: { ...done.update, notes } } : done
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
  const shown = sight?.view().all ?? []
  if (reply) learnRemarks(session, reply.text, state, shown)
  const replies = reply?.text.trim() ? [{ before: '', text: reply.text, calls: reply.calls, round: state.round }] : []
  if (reply && reply.calls.length > 0)
    return goAct([...steered.calls, ...reply.calls], steered.calls, { idle: 0, replies })

  const forced = callsBeforeAnswer(session, state)
  if (forced.length > 0) return goAct(forced, forced, { replies })
  const reminder = reply && remindPlanner(session, state, shown)
  if (reminder) return { goto: 'plan', update: { ...reminder, replies } }
  const silent = reply !== undefined && reply.text.trim() === ''
  if (silent && state.idle === 0 && session.ledger.size === 0)
    return { goto: 'plan', update: { idle: 1, hints: ['The last reply was empty. Call a tool, or reply READY.'] } }
  if (silent && state.idle > 0) return { goto: 'draft', update: { notes: [handedOver] } }
  return { goto: 'draft', update: reply ? {} : { stop: 'failed' } }
}

const handedOver = 'The planner gave no usable reply; the answer rests on what searches by code found.'

function goAct(calls: ToolCall[], forced: readonly ToolCall[], more: Update = {}): Done {
  return { goto: 'act', update: { ...more, calls, hints: [], forced: forced.map(call => call.id) } }
}

type Steered = ReturnType<typeof steer>

function steer(session: AgentSession, state: RunState) {
  const now = session.now(state)
  const all = session.policies.map(policy => ({ policy, made: policy.steer?.(session, now) ?? {} }))
  return {
    stuck: all.some(({ made }) => made.stuck),
    hints: all.flatMap(({ made }) => made.hints ?? []),
    calls: all.flatMap(({ policy, made }) => callsBy(policy, made.calls, state)),
  }
}

// What the policies still want looked for when the planner is ready to answer.
function callsBeforeAnswer(session: AgentSession, state: RunState): ToolCall[] {
  const now = session.now(state)
  const wanted: ToolCall[] = []
  for (const policy of session.policies) {
    wanted.push(...callsBy(policy, policy.calls?.(session, now, wanted), state))
  }
  return wanted.slice(0, session.parts.policy.callsPerRound)
}

// Each call of a policy is made once in a run, so this ends.
function callsBy({ name }: NamedPolicy, calls: readonly ToolCall[] = [], { forced }: RunState): ToolCall[] {
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
