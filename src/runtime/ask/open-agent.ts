import { openGraph } from '../../../graphs/index.ts'
import type { GraphParts } from '../../../graphs/parts.ts'
import { chatModels } from '../../../models/chat/index.ts'
import type { AgentState } from '../../core/agent.ts'
import type { ChatModel } from '../../core/chat.ts'
import type { CallLog } from '../../core/runtime.ts'
import { filterOffered, type NamedService } from '../../core/tool.ts'
import type { AgentContext } from '../context.ts'
import { rolePrices } from '../models/prices.ts'
import { recallNotes } from '../tools/memory.ts'
import { listPermissions, openToolbox } from '../tools/toolbox.ts'
import { callsInside } from './calls-inside.ts'
import type { QuestionRun } from './start-run.ts'
import { toolContext } from './tool-context.ts'

// What an evaluation, which is a client, may know of the graphs.
export { asksWithoutIndex, checkPlanner, graphNames } from '../../../graphs/index.ts'

// The graph of the question with all that it works with, ready to be begun.
export async function openAgent(
  context: AgentContext & { graph: string },
  calls: CallLog,
): Promise<(input: QuestionRun['input']) => Promise<AgentState>> {
  const graph = await openGraph(context.graph)
  const parts = await openGraphParts(context, calls)
  return input => graph({ ...parts, ...input })
}

// Every graph has them, so that no question is answered where one is off.
export const answeringRoles = ['planner', 'writer', 'verifier'] as const

// What a graph works with: the models, tools and limits of the settings over an open index.
export async function openGraphParts(context: AgentContext, calls: CallLog): Promise<GraphParts> {
  const { models, settings } = context.runtime
  const { change = {}, budget, reply, signal } = context.options
  const open = async (role: 'planner' | 'writer' | 'verifier' | 'vision'): Promise<NamedService<ChatModel>> => {
    const { by, service } = await models.open(role)
    return { by, service: calls.model(service, { role, chosen: () => models.chosen(role) }) }
  }
  const [planner, writer, verifier] = await Promise.all([open('planner'), open('writer'), open('verifier')])
  const rules = await models.keep('rules', host => chatModels.open('rules', {}, host))
  const permissions = listPermissions(settings)
  const index = change.index?.(context.index) ?? context.index
  const baseContext = toolContext(index, models, permissions, signal, settings.tools)
  const { tools, served } = await openToolbox(models, settings.tools, permissions)
  if (served.length > 0) await calls.served?.(served)
  const toolsIn = (log: CallLog) => {
    const logged = filterOffered(tools, index).map(tool =>
      log.tool(tool, tool.danger === 'network' || served.includes(tool)),
    )
    return change.tools?.(logged) ?? logged
  }
  // If no other model is there to look, a planner that sees is asked.
  const eyes = models.isOff('vision') && planner.service.accepts.has('image') ? 'planner' : 'vision'
  const services: GraphParts['context']['services'] = {
    ...baseContext.services,
    vision: () => open(eyes),
    writer: () => open('writer'),
    verifier: () => open('verifier'),
  }
  const ownContext = { ...baseContext, services }
  return {
    index,
    planner: planner.service,
    writer: writer.service,
    verifier: verifier.service,
    rules,
    tools: toolsIn(calls),
    toolsOf: helper => toolsIn(callsInside(calls, { helper })),
    context: change.context?.(ownContext) ?? ownContext,
    budget: { ...settings.budget, ...budget },
    prices: rolePrices(settings),
    policy: settings.policy,
    answerStyle: settings.answer.style,
    answerAlways: settings.answer.always === true,
    seek: settings.seek,
    windows: settings.windows,
    ...((!models.isOff('vision') || eyes === 'planner') && { vision: true }),
    signal,
    ...(context.library && { library: context.library.parts(calls, reply) }),
    recall: steps => recallNotes(baseContext.memory, steps),
  }
}
