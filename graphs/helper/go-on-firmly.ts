import type { RunEvent } from '../../src/core/agent.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'

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
    {
      ...parts,
      tools: parts.firm.tools,
      context: { ...context, spend: () => {} },
      budget: budgetLeft,
      signal: meter.signal,
      helper: undefined,
      inquires: false,
    },
    { question, turns, permits, evidence: ledger.all(), notes },
    event => forward(session, event, state.round),
  )
  if (!firmState) throw new Error('This graph has no firm one to go on with.')
  context.spend(firmState.spent)
  ledger.learn(firmState.evidence)
  session.failures.push(...firmState.failures)
  const steps = firmState.steps.map(step => ({ ...step, round: step.round + state.round }))
  const { written, verdicts, weighed, result, stop } = firmState
  return { update: { steps, round: state.round + firmState.round, written, verdicts, weighed, result, stop } }
}

function forward(session: AgentSession, event: RunEvent, shift: number): void {
  if (event.type === 'evidence') session.ledger.learn([event.evidence])
  else if (event.type === 'tool-end')
    session.watch({ ...event, step: { ...event.step, round: event.step.round + shift } })
  else if (event.type === 'plan' || event.type === 'tool-start') session.watch({ ...event, round: event.round + shift })
  else if (event.type !== 'step' && event.type !== 'overview') session.watch(event)
}
