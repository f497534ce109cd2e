import { AsyncResource } from 'node:async_hooks'
import type { RunEvent, Step } from '../../src/core/agent.ts'
import { type Blueprint, compile, prepareParts } from '../compile.ts'
import type { GraphParts, RunHelper } from '../parts.ts'
import type { AgentSession } from '../session.ts'
import type { RunState } from '../state.ts'
import { untraced } from '../untraced.ts'

// A graph that is begun inside of a node would be taken for a part of the outer one, and leave its checkpoints among those.
const outside = new AsyncResource('longtake-helper')

// Runs a graph inside of a step of another run. It keeps no checkpoints: a run that is killed meanwhile goes on before the step,
// and the calls that were made are taken from its records.
export function openHelper(blueprint: Blueprint): RunHelper {
  return (parts, begun, watch) =>
    outside.runInAsyncScope(async () => {
      const langgraph = await import('@langchain/langgraph')
      const prepared = await prepareParts(blueprint, parts)
      const graph = compile(langgraph, blueprint, async () => prepared)
      const recursionLimit = Math.max(200, 2 * ((begun.round ?? 0) + prepared.parts.budget.steps) + 20)
      const options = { ...(await untraced()), writer: watch, recursionLimit }
      const state: unknown = await graph.invoke(begun, options)
      return state as RunState
    })
}

// The parts of a run inside of a step: what it spends is told at its end, it asks no person and sends out no helper.
export function innerParts({ parts, context, meter }: AgentSession, own: Partial<GraphParts>): GraphParts {
  const inner = { ...parts, signal: meter.signal, helper: undefined, inquires: false, ...own }
  return { ...inner, context: { ...context, ...own.context, spend: () => {} } }
}

// An event of a run inside of a step as one of the run around it, so many rounds later.
export function forwardEvent(session: AgentSession, event: RunEvent, shift: number): void {
  if (event.type === 'evidence') session.ledger.learn([event.evidence])
  else if (event.type === 'plan' || event.type === 'tool-start') session.watch({ ...event, round: event.round + shift })
  else if (event.type === 'tool-end') session.watch({ ...event, step: shiftedStep(event.step, shift) })
  else if (event.type !== 'step' && event.type !== 'overview') session.watch(event)
}

export function shiftedStep(step: Step, shift: number): Step {
  return { ...step, round: step.round + shift }
}
