import { coreTools, longshotToolFiles, openTools, toolFiles } from '../../../tools/index.ts'
import type { ToolServer } from '../../../tools/mcp/server-tools.ts'
import type { Config } from '../../config/schema.ts'
import type { ToolSettings } from '../../config/tool-settings.ts'
import type { Closable, Host } from '../../core/backend.ts'
import { UsageError } from '../../core/errors.ts'
import { contentHash } from '../../core/json.ts'
import type { Permission, Tool, ToolKind } from '../../core/tool.ts'
import type { ReplayedCalls } from '../../store/call-log/replay.ts'
import type { Models } from '../models/models.ts'
import { loadTool } from './load-tool.ts'
import { withCheckedRows } from './wrong-row.ts'

interface Toolbox extends Closable {
  tools: Tool[]
  served: Tool[] // those of them that MCP servers offer
}

// The tools that a run has: those of its sets, the user's files and servers. Opened once, closed with the models. A replay has
// the servers' tools as they were recorded, and starts or asks no server.
export async function openToolbox(
  models: Models,
  settings: ToolSettings,
  permissions: ReadonlySet<Permission>,
): Promise<Pick<Toolbox, 'tools' | 'served'>> {
  const names = builtIn(settings, permissions)
  const key = `tools ${contentHash([names, settings.files, settings.servers])}`
  return models.keep(key, host => open(names, settings, host, models.replayed))
}

async function open(
  names: string[],
  { files, servers }: ToolSettings,
  host: Host,
  replayed?: Pick<ReplayedCalls, 'serversTools'>,
): Promise<Toolbox> {
  const userTools = await Promise.all(files.map(file => loadTool(file, process.cwd())))
  const serverNames = Object.keys(servers)
  const started = serverNames.length > 0 && !replayed ? await openToolServers(servers, host) : []
  const served = replayed ? replayed.serversTools(serverNames) : started.flatMap(server => server.tools)
  const close = async () => {
    await Promise.all(started.map(server => server.close()))
  }
  try {
    const all = [...(await openTools(names)), ...userTools.map(withCheckedRows), ...served]
    return { tools: distinct(all), served, close }
  } catch (error) {
    await close()
    throw error
  }
}

// Starts the configured MCP servers side by side. One that cannot be reached stops the run: an answer without its tools
// would be another answer.
async function openToolServers(servers: ToolSettings['servers'], { environment }: Host): Promise<ToolServer[]> {
  const { openToolServer } = await import('../../../tools/mcp/server-tools.ts')
  const ourNames = new Set(Object.keys(toolFiles))
  const opened = await Promise.allSettled(
    Object.entries(servers).map(async ([name, server]) => {
      const { seconds, startSeconds, safe } = server
      const common = { name, seconds, startSeconds, safe }
      if ('command' in server) {
        const { command, args, folder } = server
        const variables = server.variables.map(variable => [variable, variableValue(name, variable, environment)])
        return openToolServer(
          { ...common, command, args, folder, environment: Object.fromEntries(variables) },
          ourNames,
        )
      }
      const key = server.keyVariable ? variableValue(name, server.keyVariable, environment) : undefined
      return openToolServer({ ...common, url: server.url, key }, ourNames)
    }),
  )
  const failed = opened.find(one => one.status === 'rejected')
  const ready = opened.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
  if (!failed) return ready
  await Promise.all(ready.map(server => server.close()))
  throw failed.reason
}

function variableValue(server: string, variable: string, environment: Host['environment']): string {
  const value = environment[variable]
  if (value !== undefined) return value
  throw new UsageError(`tools.servers.${server} names the variable ${variable}, which is not set.`, {
    hint: `Set it before you start: export ${variable}=...`,
  })
}

// Of the core set, what runs code or asks the web is only shown where it may: a model tries what it is shown.
export function builtIn({ sets, web, focus }: ToolSettings, permissions: ReadonlySet<Permission>): string[] {
  const sixteen = Object.keys(longshotToolFiles)
  if (sets === 'longshot') return sixteen
  const core = Object.keys(coreTools).filter(name => focus || name !== 'focus')
  if (sets === 'all') return [...new Set([...core, ...sixteen])]
  return [
    ...core,
    ...(permissions.has('code') ? ['execute_code'] : []),
    ...(permissions.has('network') && web.provider !== 'off' ? ['web_search'] : []),
  ]
}

function distinct(tools: Tool[]): Tool[] {
  const seen = new Set<string>()
  for (const { name } of tools) {
    if (seen.has(name))
      throw new UsageError(`Two tools are called "${name}".`, {
        hint: 'Rename your tool, or its server.',
      })
    seen.add(name)
  }
  return tools
}

// What the user allows, fixed before any frame is read.
export function listPermissions({ permissions }: Config): ReadonlySet<Permission> {
  return new Set((Object.keys(permissions) as Permission[]).filter(name => permissions[name]))
}

// The tools whose rows are hits or lists, which nobody looked at closely.
export async function browsingTools(): Promise<Set<string>> {
  const browsing: readonly (ToolKind | undefined)[] = ['search', 'list', 'overview', 'memory']
  const all = await openTools(Object.keys(toolFiles))
  return new Set(all.filter(tool => browsing.includes(tool.kind)).map(tool => tool.name))
}
