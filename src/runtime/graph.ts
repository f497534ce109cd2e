import { langgraph } from '../../graphs/callers-langgraph.ts'
import { compile, type OpenParts, prepareParts } from '../../graphs/compile.ts'
import { loadGraph } from '../../graphs/index.ts'
import type { Saver } from '../../graphs/saver.ts'
import { untraced } from '../../graphs/untraced.ts'
import { byTime } from '../core/evidence.ts'
import type { CallLog } from '../core/runtime.ts'
import type { ToolContext } from '../core/tool.ts'
import { openGraphParts } from './ask/open-agent.ts'
import { watchOptions } from './context.ts'
import { type OpenOptions, openRuntime } from './open.ts'

export type { RunState, Update } from '../../graphs/state.ts'
export type { RunEvent } from '../core/agent.ts'
export type { Inquiry } from '../core/run/checkpoints.ts'
export type { OpenOptions } from './open.ts'

export interface GraphOptions extends OpenOptions {
  graph?: string // the agent, or one of the baselines: see docs/agent.md
  checkpointer?: Saver // of LangGraph
  inquires?: boolean // an interrupt asks what a tool may do and what a question means; otherwise it is refused or assumed
}

// The agent over one video as a compiled graph of LangGraph, to be invoked, streamed, interrupted and built into other graphs. Its
// input is { question: { text } }, its answer is in `result`, its events are the "custom" ones. Close it at the end.
export async function graph(video: string, options: GraphOptions = {}) {
  const { runtime } = await openRuntime(options)
  try {
    const opened = await runtime.questions.openVideo(video, options)
    const { parts: runtimeParts, settings } = runtime
    const blueprint = await loadGraph(options.graph ?? settings.graph)
    // Each node may be another thread's, and the next one another process's: what tools noted is read back from the state.
    const openParts: OpenParts = async ({ steps, evidence }) => {
      const addKnownRows = ({ known: noted = () => [], ...context }: ToolContext): ToolContext => ({
        ...context,
        known: () => [...new Map([...noted(), ...evidence].map(row => [row.id, row])).values()].sort(byTime),
      })
      const askOptions = { ...watchOptions(runtimeParts, {}), change: { context: addKnownRows } }
      const parts = await openGraphParts({ runtime: runtimeParts, index: opened.index, options: askOptions }, uncounted)
      parts.recall?.(steps)
      return prepareParts(blueprint, { ...parts, inquires: options.inquires })
    }
    const compiled = compile(langgraph, blueprint, openParts, options.checkpointer)
    const close = async () => {
      await opened.close()
      await runtime.close()
    }
    return Object.assign(compiled.withConfig(await untraced()), { close, [Symbol.asyncDispose]: close })
  } catch (error) {
    await runtime.close()
    throw error
  }
}

// Whoever runs the graph keeps its state; no run folder is made.
const uncounted: CallLog = { folder: '', model: model => model, tool: tool => tool }
