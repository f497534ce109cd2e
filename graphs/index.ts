import type { RunnableConfig } from '@langchain/core/runnables'
import type { AgentState } from '../src/core/agent.ts'
import type { Inquiry } from '../src/core/checkpoints.ts'
import { UsageError, unknownName } from '../src/core/errors.ts'
import { type Blueprint, compile, type LangGraph, settle } from './compile.ts'
import type { Asked, Kept } from './parts.ts'
import { folderSaver, isSaver } from './saver.ts'
import { agentState, type RunState, type Update } from './state.ts'
import { untraced } from './untraced.ts'

// One way to answer a question about an indexed video, from the same parts to the same kind of state.
export type Graph = (asked: Asked) => Promise<AgentState>

// All graphs by name: the agent, and what it is compared with. A graph is one file and one line here.
export const graphs: Record<string, () => Promise<{ default: Blueprint }>> = {
  investigate: () => import('./investigate.ts'),
  'single-pass': () => import('./baselines/single-pass.ts'),
  'search-then-answer': () => import('./baselines/search-then-answer.ts'),
  'longshot-v2': () => import('./baselines/longshot-v2.ts'),
}

export const graphNames = Object.keys(graphs)

// A name that is wrong is told before any work is done.
export function checkGraph(name: string): void {
  if (!graphNames.includes(name)) throw unknownName('graph', name, graphNames)
}

// Loading a graph and LangGraph waits for hundreds of files: it goes on while a video is opened. A fault of it is told by openGraph.
export function preloadGraph(name: string): void {
  const load = async () => Promise.all([loadGraph(name), import('@langchain/langgraph')])
  load().catch(() => {})
}

export async function loadGraph(name: string): Promise<Blueprint> {
  const load = Object.hasOwn(graphs, name) ? graphs[name] : undefined
  if (!load) throw unknownName('graph', name, graphNames)
  return (await load()).default
}

export async function openGraph(name: string): Promise<Graph> {
  const found = await loadGraph(name)
  return asked => run(found, asked)
}

async function run(blueprint: Blueprint, asked: Asked): Promise<AgentState> {
  const { watch, reply, kept } = asked
  const langgraph = await import('@langchain/langgraph')
  const settled = await settle(blueprint, { ...asked, inquires: reply !== undefined })
  const saver = kept ? saverOf(langgraph, kept) : reply && new langgraph.MemorySaver()
  const graph = compile(langgraph, blueprint, async () => settled, saver)
  const options = {
    ...(await untraced()),
    writer: watch, // an event is told before its node goes on, which a reader of the stream would not be sure of
    durability: 'sync' as const,
    recursionLimit: Math.max(200, 2 * settled.parts.budget.steps + 20), // a round is two nodes
  }
  const thread = { configurable: { thread_id: kept?.thread ?? 'run' } }
  let { input, config } = await beginning(graph, langgraph, asked, thread)
  for (;;) {
    const state: unknown = await graph.invoke(input, { ...options, ...config })
    const waiting = langgraph.isInterrupted<Inquiry>(state) ? state[langgraph.INTERRUPT][0]?.value : undefined
    if (!waiting) return agentState(state as RunState)
    // LangGraph takes an answer that is false or empty for none.
    input = new langgraph.Command({ resume: { answer: (await reply?.(waiting)) ?? false } })
    config = thread
  }
}

function saverOf(langgraph: LangGraph, { checkpoints, thread }: Kept) {
  if ('all' in checkpoints) return folderSaver(langgraph, thread, checkpoints)
  if (isSaver(checkpoints)) return checkpoints
  throw new UsageError('The checkpointer must be a checkpoint saver of LangGraph.', {
    hint: 'For example: new MemorySaver().',
  })
}

type Compiled = ReturnType<typeof compile>
type Thread = { configurable: { thread_id: string } }
type Beginning = { input: Parameters<Compiled['invoke']>[0]; config: RunnableConfig }

// Where a question begins: anew, or where its thread was left. What was done while the run was being stopped is done again.
async function beginning(graph: Compiled, { Command }: LangGraph, asked: Asked, thread: Thread): Promise<Beginning> {
  const { question, turns, from, kept } = asked
  const input = { ...(from ? asUpdate(from) : {}), question, turns: turns ?? from?.turns ?? [] }
  if (!kept) return { input, config: thread }
  const { older, change } = kept
  const last = await lastWhole(graph, thread)
  if (!last && !older) return { input, config: thread }
  asked.recall?.(last?.steps ?? older?.update.steps ?? [])
  const at = last?.isHead === false ? last.config : thread
  const update = { ...(last ? {} : older?.update), ...change }
  if (Object.keys(update).length === 0) return { input: null, config: at }
  const goto = change ? 'plan' : older?.goto
  return { input: null, config: await graph.updateState(at, new Command({ update, goto }), 'plan') }
}

async function lastWhole(graph: Compiled, thread: Thread) {
  let isHead = true
  for await (const { values, next, config } of graph.getStateHistory(thread)) {
    if (next.length > 0 && values.stop === undefined && !values.halted) return { config, isHead, steps: values.steps }
    isHead = false
  }
  return undefined
}

function asUpdate({ answer: _, draft: __, stop: ___, ...state }: AgentState): Update {
  return { ...state, round: 1 + Math.max(-1, ...state.steps.map(step => step.round)) }
}
