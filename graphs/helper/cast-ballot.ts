import type { Budget } from '../../src/core/agent.ts'
import { type ChatModel, decorate } from '../../src/core/chat.ts'
import { helperRounds } from '../meter.ts'
import type { AgentSession } from '../session.ts'
import { type Ballot, hintOf, type Poll, type RunState, type Update } from '../state.ts'
import { forwardEvent, innerParts, shiftedStep } from './run-helper.ts'

const temperature = 0.7
const forwarded = ['evidence', 'plan', 'tool-start', 'tool-end', 'note']

export interface Cast {
  ballot?: Ballot // undefined where the run came to no answer of its own
  update: Update
}

// One more run of the agent from what the first one had found, with a plan, a temperature and a seed of its own. What it finds
// enters the ledger, and its steps are steps of the run.
export async function castBallot(
  session: AgentSession,
  state: RunState,
  { base, ballots }: Poll,
  { plan, hint }: { plan: string; hint: string },
  budget: Budget,
): Promise<Cast> {
  const { parts } = session
  const { helper, toolsOf = () => parts.tools } = parts
  const number = ballots.length
  const shift = state.round - base.round
  const steps = state.steps.slice(0, base.steps)
  const runState = await helper?.(
    innerParts(session, {
      planner: varied(parts.planner, number),
      writer: varied(parts.writer, number),
      tools: toolsOf(`vote ${number}`),
      policy: { ...parts.policy, votes: false },
      budget: { ...budget, steps: base.round + helperRounds(steps) + budget.steps },
    }),
    {
      ...{ question: state.question, turns: state.turns, steps, evidence: state.evidence.slice(0, base.rows) },
      ...{ weighed: { aspects: state.weighed?.aspects }, round: base.round, forced: state.forced, fit: state.fit },
      messages: [hintOf(hint)],
    },
    event => forwarded.includes(event.type) && forwardEvent(session, event, shift),
  )
  if (!runState) throw new Error('This graph has no helper.')
  session.context.spend(runState.spent)
  session.ledger.learn(runState.evidence)
  for (const failure of runState.failures) if (!session.failures.includes(failure)) session.failures.push(failure)
  const note = `Made by run ${number + 1}, which planned anew: ${plan}.`
  const fresh = runState.steps
    .slice(base.steps)
    .map(step => shiftedStep({ ...step, notes: [...step.notes, note] }, shift))
  const rounds = runState.round - base.round
  const update = { steps: fresh, round: state.round + rounds }
  const { result, written, verdicts, stop, weighed } = runState
  if (!result || !written || stop === 'failed' || stop === 'interrupted') return { update }
  return { update, ballot: { plan, rounds, written, verdicts, options: weighed?.options, answer: result } }
}

// A model that is asked the same with the same seed would say the same.
function varied(model: ChatModel, seed: number): ChatModel {
  return decorate(model, (request, signal, onText) => model.reply({ ...request, temperature, seed }, signal, onText))
}
