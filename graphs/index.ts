import type { RunnableConfig } from '@langchain/core/runnables'
import type { StateSnapshot } from '@langchain/langgraph'
import type { AgentState } from '../src/core/agent.ts'
import { addUsage, type ChatModel, emptyUsage } from '../src/core/chat.ts'
import { UsageError, unknownName } from '../src/core/errors.ts'
import { libraryGraph } from '../src/core/library.ts'
import type { Inquiry } from '../src/core/run/checkpoints.ts'
import { type Blueprint, compile, type LangGraph, prepareParts, refuseBlind } from './compile.ts'
import type { GraphInput, RunCheckpoints } from './parts.ts'
import { folderSaver, isSaver } from './saver.ts'
import { agentState, buildHint, type RunState, type Update } from './state.ts'
import { untraced } from './untraced.ts'

// One way to answer a question about an indexed video, from the same parts to the same kind of state.
export type Graph = (asked: GraphInput) => Promise<AgentState>

// All graphs over one video by name: the agent, and what it is compared with. A graph is one file and one line here.
export const graphs: Record<string, () => Promise<{ default: Blueprint }>> = {
  investigate: () => import('./investigate.ts'),
  converse: () => import('./converse.ts'),
  'retrieve-and-write': () => import('./retrieve-and-write.ts'),
  'single-pass': () => import('./baselines/single-pass.ts'),
  'search-then-answer': () => import('./baselines/search-then-answer.ts'),
  'longshot-v2': () => import('./baselines/longshot-v2.ts'),
  dvd: () => import('./baselines/dvd.ts'),
  seek: () => import('./baselines/seek.ts'),
  windows: () => import('./baselines/windows.ts'),
  'task-graph': () => import('./baselines/task-graph.ts'),
  vgent: () => import('./baselines/vgent.ts'),
  'video-rag': () => import('./baselines/video-rag.ts'),
  videomind: () => import('./baselines/videomind.ts'),
  'video-explorer': () => import('./baselines/video-explorer.ts'),
}

export const graphNames = Object.keys(graphs)

// The one over many videos finds them, and asks in each with one of the others.
const allGraphs: typeof graphs = { ...graphs, [libraryGraph]: () => import('./library.ts') }

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
  const load = Object.hasOwn(allGraphs, name) ? allGraphs[name] : undefined
  if (!load) throw unknownName('graph', name, graphNames)
  return (await load()).default
}

// Whether it answers only from the file: no stage of an index is made for it.
export async function asksWithoutIndex(name: string): Promise<boolean> {
  return (await loadGraph(name)).withoutIndex === true
}

// A planner that is to be shown pictures and takes none is told before any work is done.
export async function checkPlanner(name: string, open: () => Promise<ChatModel>): Promise<void> {
  const blueprint = await loadGraph(name)
  if (blueprint.sees) refuseBlind(blueprint, await open())
}

export interface KeptStep {
  step: number
  name: string
  checkpoint: string
}

// The steps of a run from which it can be gone on, in their order; of those that were made again, the last.
export async function keptSteps(graphName: string, kept: RunCheckpoints): Promise<KeptStep[]> {
  const langgraph = await import('@langchain/langgraph')
  const graph = compile(langgraph, await loadGraph(graphName), idle, openSaver(langgraph, kept))
  const makers = new Map<string, string>()
  const steps = new Map<number, KeptStep>()
  const history: StateSnapshot[] = []
  for await (const entry of graph.getStateHistory({ configurable: { thread_id: kept.thread } })) history.unshift(entry)
  for (const { config, parentConfig, metadata, next, values } of history) {
    const checkpoint: string = config.configurable?.checkpoint_id
    const name = makers.get(parentConfig?.configurable?.checkpoint_id) ?? ''
    const step = (metadata?.step ?? 0) - 1
    makers.set(checkpoint, next[0] ?? '')
    const whole = metadata?.source === 'loop' && next.length > 0 && values.stop === undefined && !values.halted
    if (step > 0 && whole) steps.set(step, { step, name, checkpoint })
  }
  return [...steps.values()].sort((a, b) => a.step - b.step)
}

// As Mermaid draws it.
export async function drawGraph(name: string): Promise<string> {
  const graph = compile(await import('@langchain/langgraph'), await loadGraph(name), idle)
  return (await graph.getGraphAsync()).drawMermaid()
}

const idle = () => Promise.reject(new Error('This graph is looked at, not run.'))

export async function openGraph(name: string): Promise<Graph> {
  const loaded = await loadGraph(name)
  return asked => run(loaded, asked)
}

async function run(blueprint: Blueprint, asked: GraphInput): Promise<AgentState> {
  const { watch, reply, kept } = asked
  const langgraph = await import('@langchain/langgraph')
  const prepared = await prepareParts(blueprint, { ...asked, inquires: reply !== undefined })
  const saver = kept ? openSaver(langgraph, kept) : reply && new langgraph.MemorySaver()
  const graph = compile(langgraph, blueprint, async () => prepared, saver)
  const options = {
    ...(await untraced()),
    writer: watch, // an event is told before its node goes on, which a reader of the stream would not be sure of
    durability: 'sync' as const,
    recursionLimit: Math.max(200, 2 * prepared.parts.budget.steps + 20), // a round is two nodes
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

function openSaver(langgraph: LangGraph, { checkpoints, thread }: RunCheckpoints) {
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
async function beginning(
  graph: Compiled,
  { Command }: LangGraph,
  asked: GraphInput,
  thread: Thread,
): Promise<Beginning> {
  const { question, turns, from, kept, permits, spent } = asked
  const input = {
    ...(from ? asUpdate(from) : {}),
    ...(permits ? { permits } : {}),
    ...(spent ? { spent: addUsage(from?.spent ?? emptyUsage, spent) } : {}),
    question,
    turns: turns ?? from?.turns ?? [],
  }
  if (!kept) return { input, config: thread }
  const { older, hint } = kept
  const last = await lastWhole(graph, thread)
  if (!last && !older) return { input, config: thread }
  asked.recall?.(last?.steps ?? older?.update.steps ?? [])
  const at = last?.isHead === false ? last.config : thread
  const planner = 'model' in graph.nodes ? 'model' : 'plan' // the node that asks it
  const change = last ? hint !== undefined && { goto: planner, update: { messages: [buildHint(hint)] } } : older
  if (!change) return { input: null, config: at }
  return { input: null, config: await graph.updateState(at, new Command({ ...change }), planner) }
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
