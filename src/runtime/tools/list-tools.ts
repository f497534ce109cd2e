import { z } from 'zod'
import { coreTools, longshotToolFiles, openTools, toolFiles } from '../../../tools/index.ts'
import type { Config } from '../../config/schema.ts'
import type { ChatModel } from '../../core/chat.ts'
import type { Permission, Tool } from '../../core/tool.ts'
import { buildHost, type HostOptions } from '../models/host.ts'
import { Models } from '../models/models.ts'
import { listPermissions, openToolbox } from './toolbox.ts'

interface ListedTool {
  name: string
  from: string // "core", "longshot", "core, longshot", or "yours"
  state: 'shown' | 'not shown' | 'refused' // refused: shown, and it lacks its permission
  danger?: Permission
  description: string
  parameters: object // JSON schema
}

// Every tool there is, and what the agent is shown of them with these settings.
export async function listTools(settings: Config, host: HostOptions): Promise<ListedTool[]> {
  const permissions = listPermissions(settings)
  const models = new Models(settings.models, buildHost(host))
  try {
    const takes = await models.standInTakes('planner')
    const { tools } = await openToolbox(models, settings.tools, permissions)
    const offered = tools.filter(tool => !takes || isFor(tool, takes))
    const names = new Set(offered.map(tool => tool.name))
    const notOffered = await openTools(Object.keys(toolFiles).filter(name => !names.has(name)))
    const unread = tools.filter(tool => !names.has(tool.name) && !Object.hasOwn(toolFiles, tool.name))
    return [...offered, ...notOffered, ...unread].map(tool => listed(tool, names, permissions))
  } finally {
    await models.close()
  }
}

// Rules send no helper out.
function isFor({ sends }: Tool, takes: ChatModel['accepts']): boolean {
  return sends !== 'helper' || takes.has('text')
}

function listed(tool: Tool, shown: ReadonlySet<string>, permissions: ReadonlySet<Permission>): ListedTool {
  const { $schema, ...parameters } = z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' })
  const sets = Object.entries({ core: coreTools, longshot: longshotToolFiles }).filter(([, set]) =>
    Object.hasOwn(set, tool.name),
  )
  const lacks = tool.danger !== undefined && !permissions.has(tool.danger)
  return {
    name: tool.name,
    from: sets.map(([name]) => name).join(', ') || 'yours',
    state: !shown.has(tool.name) ? 'not shown' : lacks ? 'refused' : 'shown',
    ...(tool.danger ? { danger: tool.danger } : {}),
    description: tool.description,
    parameters,
  }
}
