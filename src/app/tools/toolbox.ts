import { coreTools, longshotTools, openTools } from '../../../tools/index.ts'
import type { ToolSettings } from '../../config/tool-settings.ts'
import type { Closable } from '../../core/backend.ts'
import { UsageError } from '../../core/errors.ts'
import { contentHash } from '../../core/hash.ts'
import type { Permission, Tool } from '../../core/tool.ts'
import type { Models } from '../models.ts'

export interface Toolbox extends Closable {
  tools: Tool[]
}

// The tools that a run has: those of its sets, the user's files and servers. Opened once, closed with the models.
export async function openToolbox(
  models: Models,
  settings: ToolSettings,
  permissions: ReadonlySet<Permission>,
): Promise<Tool[]> {
  const names = builtIn(settings, permissions)
  const { tools } = await models.keep(`tools ${contentHash([names, settings])}`, async () => ({
    tools: distinct(await openTools(names)),
  }))
  return tools
}

// Of the core set, what runs code or asks the web is only shown where it may: a model tries what it is shown.
export function builtIn({ sets, web }: ToolSettings, permissions: ReadonlySet<Permission>): string[] {
  const sixteen = Object.keys(longshotTools)
  if (sets === 'longshot') return sixteen
  const core = Object.keys(coreTools)
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
        hint: 'Give yours another name, or its server another.',
      })
    seen.add(name)
  }
  return tools
}
