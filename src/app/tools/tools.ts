import type { Config } from '../../config/schema.ts'
import type { ToolKind } from '../../core/tool.ts'
import type { HostOptions } from '../models/host.ts'
import type { CheckRequest, ToolCheck } from './check/check-tool.ts'
import type { ListedTool } from './list-tools.ts'

// What the command line may ask of the tools; nothing of them is loaded before it is needed.
export type { Check, ToolCheck } from './check/check-tool.ts'
export type { ListedTool } from './list-tools.ts'

// The tools whose rows are hits or lists, which nobody looked at closely.
export async function browsingTools(): Promise<Set<string>> {
  const { openTools, tools } = await import('../../../tools/index.ts')
  const browsing: readonly (ToolKind | undefined)[] = ['search', 'list', 'overview', 'memory']
  const all = await openTools(Object.keys(tools))
  return new Set(all.filter(tool => browsing.includes(tool.kind)).map(tool => tool.name))
}

export async function listTools(settings: Config, host: HostOptions): Promise<ListedTool[]> {
  return (await import('./list-tools.ts')).listTools(settings, host)
}

export async function checkTool(request: CheckRequest): Promise<ToolCheck> {
  return (await import('./check/check-tool.ts')).checkTool(request)
}
