import { toolCard } from '../../src/core/calls/tool-card.ts'
import type { ChatReply, ToolCall } from '../../src/core/chat.ts'
import { askModel } from '../asking/ask-model.ts'
import { withoutEqualCalls } from '../calls/equal-calls.ts'
import { modelMessage } from '../conversation/ask.ts'
import { helperRounds } from '../meter.ts'
import { planRequest } from '../prompts/planner.ts'
import type { AgentSession, NamedPolicy, Steering } from '../session.ts'
import { type Done, pendingMessages, type RunState } from '../state.ts'

// Asks the planner what to call next. Whether it may go on, and what it must not leave out, the policies say.
export async function plan(session: AgentSession, state: RunState): Promise<Done> {
  const stop = session.meter.over(usedRounds(state))
  if (stop) return { goto: 'draft', update: { stop } }
  const steered = steer(session, state)
  if (!steered.stuck) return ask(session, state, steered)
  const { calls, forced } = callsBeforeAnswer(session, state)
  return calls.length > 0 ? goAct(state, calls, forced) : { goto: 'draft', update: {} }
}

function usedRounds({ round, steps }: RunState): number {
  return round + helperRounds(steps)
}

async function ask(session: AgentSession, state: RunState, steered: Steered): Promise<Done> {
  const { parts, meter, fit } = session
  const { coverage, overview, people } = parts.index
  const request = () =>
    planRequest(
      {
        state: session.now(state),
        turns: parts.earlier,
        coverage,
        overview,
        people,
        round: state.round,
        roundsLeft: parts.budget.steps - usedRounds(state),
        hints: steered.hints,
        resultCharacters: fit.characters('results'),
        share: fit.share,
        vision: parts.vision,
      },
      parts.tools.map(toolCard),
    )
  const reply = await askModel(session, 'planner', request)
  if (meter.stopped()) return { goto: 'draft', update: { stop: meter.stopped() } }
  if (!reply) {
    const { calls, forced } = callsBeforeAnswer(session, state)
    return calls.length > 0 ? goAct(state, calls, forced) : { goto: 'draft', update: { stop: 'failed' } }
  }
  session.watch({ type: 'plan', round: state.round, text: planText(reply) })
  const text = reply.text.trim()
  if (reply.calls.length > 0) return goAct(state, [...steered.calls, ...reply.calls], steered.forced, text)
  const { calls, forced } = callsBeforeAnswer(session, state)
  if (calls.length > 0) return goAct(state, calls, forced, text)
  if (text !== '') return { goto: 'draft', update: { messages: [modelMessage({ text, calls: [] })] } }
  const isSecond = pendingMessages(state.messages).some(one => one.about === 'silence')
  if (isSecond) return { goto: 'draft', update: { notes: [handedOver] } }
  if (session.ledger.size > 0) return { goto: 'draft', update: {} }
  return { goto: 'plan', update: { messages: [{ by: 'code', about: 'silence', text: emptyReply }] } }
}

const emptyReply = 'The last reply was empty. Call a tool, or reply READY.'
const handedOver = 'The planner gave no usable reply; the answer rests on what searches by code found.'

function goAct(state: RunState, calls: ToolCall[], forced: string[], text = ''): Done {
  return { goto: 'act', update: { calls, forced, messages: [modelMessage({ text, calls }, state.round)] } }
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
