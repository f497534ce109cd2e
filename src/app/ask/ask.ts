import { type Graph, openGraph } from '../../../graphs/index.ts'
import type { KeptRun } from '../../../graphs/nodes/run-state.ts'
import type { InvestigateParts } from '../../../graphs/parts.ts'
import type { ToolSettings } from '../../config/tool-settings.ts'
import type { AgentState, Budget, Question, Turn, Watch } from '../../core/agent.ts'
import type { ChatModel } from '../../core/chat.ts'
import type { Evidence } from '../../core/evidence.ts'
import type { PolicySettings } from '../../core/policy.ts'
import type { AskReport } from '../../core/runtime.ts'
import type { Permission, Tool } from '../../core/tool.ts'
import type { OpenedIndex } from '../index/open-index.ts'
import type { Models } from '../models/models.ts'
import { recallNotes } from '../tools/recall-notes.ts'
import { openToolbox } from '../tools/toolbox.ts'
import { recordedServices } from './recorded-services.ts'
import { toolContext } from './tool-context.ts'

// What an evaluation, which is a client, may know of the graphs.
export { checkGraph, graphNames } from '../../../graphs/index.ts'
export type { InvestigateParts }

export interface AskWork {
  index: OpenedIndex
  models: Models
  question: Question
  turns?: Turn[]
  budget: Budget
  prices?: InvestigateParts['prices']
  policy: PolicySettings
  graph: string // by name: see graphs/index.ts
  tools: ToolSettings
  permissions: ReadonlySet<Permission>
  record(role: string, model: ChatModel): ChatModel // every call goes through the run's records
  tool?(tool: Tool, asksOthers: boolean): Tool // and so does every call of a tool
  served?(tools: readonly Tool[]): Promise<void> // what MCP servers offer is a part of the record
  keep?(node: string, state: KeptRun): Promise<void>
  resume?: KeptRun // go on with a run that was stopped
  watch: Watch
  signal: AbortSignal
  through?(parts: InvestigateParts, graph: Graph): Promise<AgentState> // what an ablation puts between
}

// One question, from the open index to the final state of the graph.
export async function askIndex(work: AskWork): Promise<AgentState> {
  const { index, models, signal } = work
  const graph = await openGraph(work.graph)
  const [planner, writer, verifier] = await Promise.all([
    models.open('planner'),
    models.open('writer'),
    models.open('verifier'),
  ])
  const context = toolContext(index, models, work.permissions, signal, work.tools)
  recallNotes(context.memory, work.resume?.agent.steps ?? [])
  const { tools, served } = await openToolbox(models, work.tools, work.permissions)
  if (served.length > 0) await work.served?.(served)
  const parts: InvestigateParts = {
    question: work.question,
    turns: work.turns,
    index,
    planner: work.record('planner', planner.service),
    writer: work.record('writer', writer.service),
    verifier: work.record('verifier', verifier.service),
    tools: tools.map(tool => work.tool?.(tool, tool.danger === 'network' || served.includes(tool)) ?? tool),
    context: { ...context, services: recordedServices(context.services, work.record) },
    budget: work.budget,
    prices: work.prices,
    policy: work.policy,
    resume: work.resume,
    keep: work.keep,
    watch: work.watch,
    signal,
  }
  return work.through ? work.through(parts, graph) : graph(parts)
}

// The rows that the answer cites first, then the rest of the ledger.
export function citedFirst(state: AgentState): Evidence[] {
  const cited = new Set(state.answer?.sentences.flatMap(sentence => sentence.cites))
  return [...state.evidence.filter(row => cited.has(row.id)), ...state.evidence.filter(row => !cited.has(row.id))]
}

export function reportOf(state: AgentState, index: OpenedIndex, profile: string, run: string): AskReport {
  if (!state.answer) throw new Error('The graph ended without an answer.')
  return {
    video: index.video,
    question: state.question,
    answer: state.answer,
    evidence: citedFirst(state),
    coverage: index.coverage,
    steps: state.steps,
    usage: state.spent,
    stop: state.stop ?? 'answered',
    profile,
    run,
  }
}
