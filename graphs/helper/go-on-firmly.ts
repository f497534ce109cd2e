import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'
import { forwardEvent, innerParts, shiftedStep } from './run-helper.ts'

// Goes on with the firm graph, which asks little of its models, from what was found so far: the model of a conversation turned out to call
// no tools and to answer nothing.
export async function goOnFirmly(session: AgentSession, state: RunState): Promise<Done> {
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
  if (!firmState) throw new Error('This graph has no firm one to go on with.')
  context.spend(firmState.spent)
  ledger.learn(firmState.evidence)
  session.failures.push(...firmState.failures)
  const steps = firmState.steps.map(step => shiftedStep(step, state.round))
  const { written, verdicts, weighed, result, stop } = firmState
  return { update: { steps, round: state.round + firmState.round, written, verdicts, weighed, result, stop } }
}
