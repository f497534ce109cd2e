import { toolFiles } from '../../../tools/index.ts'
import { openToolServer, type ToolServer } from '../../../tools/mcp/server-tools.ts'
import type { ToolSettings } from '../../config/tool-settings.ts'
import type { Host } from '../../core/backend.ts'
import { UsageError } from '../../core/errors.ts'

// Starts the configured MCP servers side by side. One that cannot be reached stops the run: an answer without its tools
// would be another answer.
export async function openToolServers(servers: ToolSettings['servers'], { environment }: Host): Promise<ToolServer[]> {
  const opened = await Promise.allSettled(
    Object.entries(servers).map(async ([name, server]) => {
      const { seconds, startSeconds, safe } = server
      const common = { name, seconds, startSeconds, safe }
      if ('command' in server) {
        const { command, args, folder } = server
        const variables = server.variables.map(variable => [variable, variableValue(name, variable, environment)])
        return openToolServer({ ...common, command, args, folder, environment: Object.fromEntries(variables) }, builtIn)
      }
      const key = server.keyVariable ? variableValue(name, server.keyVariable, environment) : undefined
      return openToolServer({ ...common, url: server.url, key }, builtIn)
    }),
  )
  const failed = opened.find(one => one.status === 'rejected')
  const ready = opened.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
  if (!failed) return ready
  await Promise.all(ready.map(server => server.close()))
  throw failed.reason
}

const builtIn = new Set(Object.keys(toolFiles))

function variableValue(server: string, variable: string, environment: Host['environment']): string {
  const value = environment[variable]
  if (value !== undefined) return value
  throw new UsageError(`tools.servers.${server} names the variable ${variable}, which is not set.`, {
    hint: `Set it before you start: export ${variable}=...`,
  })
}
