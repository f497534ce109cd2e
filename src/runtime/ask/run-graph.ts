import { openGraph } from '../../../graphs/index.ts'
import type { GraphInput, GraphParts, LibraryParts, RunCheckpoints } from '../../../graphs/parts.ts'
import { chatModels } from '../../../models/chat/index.ts'
import type { Config } from '../../config/schema.ts'
import type { AgentState, Budget, Question, Turn, Watch } from '../../core/agent.ts'
import type { ChatModel, Usage } from '../../core/chat.ts'
import type { Evidence } from '../../core/evidence.ts'
import { stableJson } from '../../core/json.ts'
import type { AskChange, AskOptions, AskReport, CallLog } from '../../core/runtime.ts'
import { filterOffered, type NamedService } from '../../core/tool.ts'
import type { VideoIndex } from '../../core/video.ts'
import type { Models } from '../models/models.ts'
import { rolePrices } from '../models/prices.ts'
import { recallNotes } from '../tools/memory.ts'
import { listPermissions, openToolbox } from '../tools/toolbox.ts'
import { callsInside } from './calls-inside.ts'
import { toolContext } from './tool-context.ts'

// What an evaluation, which is a client, may know of the graphs.
export { asksWithoutIndex, checkPlanner, graphNames } from '../../../graphs/index.ts'

export interface AskWork {
  index: VideoIndex
  models: Models
  settings: Config
  question: Question
  turns?: Turn[]
  budget?: Partial<Budget> // over that of the settings
  graph?: string // by name: see graphs/index.ts
  calls: CallLog
  library?: LibraryParts // of a question over all videos: `index` then stands for all of them
  change?: AskChange
  kept?: RunCheckpoints // the checkpoints of its run
  spent?: Usage // for this question, before its graph begins
  permits?: GraphInput['permits'] // that a person gave when the run was recorded
  strange?: boolean // its run folder may be a stranger's
  reply?: AskOptions['reply']
  watch: Watch
  signal: AbortSignal
}

// One question, from the open index to the final state of the graph.
export async function askIndex(work: AskWork): Promise<AgentState> {
  const { question, turns, change, kept, permits, strange, reply, watch, spent } = work
  const graph = await openGraph(work.graph ?? work.settings.graph)
  const parts = await openGraphParts(work)
  return graph({ ...parts, question, turns, from: change?.from, permits, strange, kept, reply, watch, spent })
}

export type PartsWork = Pick<
  AskWork,
  'index' | 'models' | 'settings' | 'budget' | 'calls' | 'library' | 'change' | 'signal'
>

// Every graph has them, so that no question is answered where one is off.
export const answeringRoles = ['planner', 'writer', 'verifier'] as const

// What a graph works with: the models, tools and limits of the settings over an open index.
export async function openGraphParts(work: PartsWork): Promise<GraphParts> {
  const { models, settings, calls, change = {}, signal } = work
  const open = async (role: 'planner' | 'writer' | 'verifier' | 'vision'): Promise<NamedService<ChatModel>> => {
    const { by, service } = await models.open(role)
    return { by, service: calls.model(service, { role, chosen: () => models.chosen(role) }) }
  }
  const [planner, writer, verifier] = await Promise.all([open('planner'), open('writer'), open('verifier')])
  const rules = await models.keep('rules', host => chatModels.open('rules', {}, host))
  const permissions = listPermissions(settings)
  const index = change.index?.(work.index) ?? work.index
  const context = toolContext(index, models, permissions, signal, settings.tools)
  const { tools, served } = await openToolbox(models, settings.tools, permissions)
  if (served.length > 0) await calls.served?.(served)
  const toolsIn = (log: CallLog) => {
    const logged = filterOffered(tools, index).map(tool =>
      log.tool(tool, tool.danger === 'network' || served.includes(tool)),
    )
    return change.tools?.(logged) ?? logged
  }
  const services: GraphParts['context']['services'] = {
    ...context.services,
    vision: () => open('vision'),
    writer: () => open('writer'),
    verifier: () => open('verifier'),
  }
  const ownContext = { ...context, services }
  return {
    index,
    planner: planner.service,
    writer: writer.service,
    verifier: verifier.service,
    rules,
    tools: toolsIn(calls),
    toolsOf: helper => toolsIn(callsInside(calls, { helper })),
    context: change.context?.(ownContext) ?? ownContext,
    budget: { ...settings.budget, ...work.budget },
    prices: rolePrices(settings),
    policy: settings.policy,
    answerStyle: settings.answer.style,
    answerAlways: settings.answer.always === true,
    seek: settings.seek,
    ...(isOneModel(settings) && { looksItself: true }),
    ...(!models.isOff('vision') && { vision: true, simulated: await models.simulated('vision') }),
    signal,
    ...(work.library && { library: work.library }),
    recall: steps => recallNotes(context.memory, steps),
  }
}

// The planner looks itself if no other model is there to look.
function isOneModel({ models: { planner, vision } }: Config): boolean {
  if (vision.backend === 'off') return true
  const at = ({ backend, model, url }: Record<string, unknown>) => stableJson([backend, model, url])
  return at(planner) === at(vision)
}

// The rows that the answer cites first, then the rest of the ledger.
export function citedFirst(state: AgentState): Evidence[] {
  const cited = new Set(state.answer?.sentences.flatMap(sentence => sentence.cites))
  return [...state.evidence.filter(row => cited.has(row.id)), ...state.evidence.filter(row => !cited.has(row.id))]
}

export function buildAskReport(
  state: AgentState,
  { video, coverage }: VideoIndex,
  profile: string,
  run: string,
): AskReport {
  if (!state.answer) throw new Error('The graph ended without an answer.')
  return {
    video,
    question: state.question,
    answer: state.answer,
    evidence: citedFirst(state),
    coverage,
    steps: state.steps,
    usage: state.spent,
    stop: state.stop ?? 'answered',
    profile,
    run,
    ...(state.weighed?.votes && { votes: state.weighed.votes }),
    ...(state.library && { library: state.library }),
  }
}
