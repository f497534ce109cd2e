import type { Config } from '../../config/schema.ts'
import type { HostOptions } from '../models/host.ts'
import type { CheckRequest, ToolCheck } from './check/check-tool.ts'
import type { ListedTool } from './list-tools.ts'

// What the command line may ask of the tools; nothing of them is loaded before it is needed.
export type { Check, ToolCheck } from './check/check-tool.ts'
export type { ListedTool } from './list-tools.ts'

export async function listTools(settings: Config, host: HostOptions): Promise<ListedTool[]> {
  return (await import('./list-tools.ts')).listTools(settings, host)
}

export async function checkTool(request: CheckRequest): Promise<ToolCheck> {
  return (await import('./check/check-tool.ts')).checkTool(request)
}
