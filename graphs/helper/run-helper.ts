import { AsyncResource } from 'node:async_hooks'
import { type Blueprint, compile, settle } from '../compile.ts'
import type { RunHelper } from '../parts.ts'
import type { RunState } from '../state.ts'
import { untraced } from '../untraced.ts'

// A graph that is begun inside of a node would be taken for a part of the outer one, and leave its checkpoints among those.
const outside = new AsyncResource('longtake-helper')

// Runs a graph inside of a step of another run. It keeps no checkpoints: a run that is killed meanwhile goes on before the step,
// and the calls that were made are taken from its records.
export function helperOf(blueprint: Blueprint): RunHelper {
  return (parts, begun, watch) =>
    outside.runInAsyncScope(async () => {
      const langgraph = await import('@langchain/langgraph')
      const settled = await settle(blueprint, parts)
      const graph = compile(langgraph, blueprint, async () => settled)
      const recursionLimit = Math.max(200, 2 * ((begun.round ?? 0) + settled.parts.budget.steps) + 20)
      const options = { ...(await untraced()), writer: watch, recursionLimit }
      const state: unknown = await graph.invoke(begun, options)
      return state as RunState
    })
}
