import type { CommandRun } from '../../../src/cli/command.ts'
import { startedBy } from '../../../src/cli/started-by.ts'
import { version } from '../../../src/cli/version.ts'

// Speaks MCP on stdin and stdout until the host closes them.
export const mcp: CommandRun = async call => {
  const config = await call.settings()
  const { createRuntime } = await import('../../../src/runtime/runtime.ts')
  const { serveMcp } = await import('../server/mcp/stdio.ts')
  const { home, environment, say } = await call.host()
  const exceeded = (error: Error) => call.world.exceeded?.(error)
  const runtime = await createRuntime({ config, home, environment, say, exceeded })
  try {
    const about = { runtime, home, environment, program: startedBy(), version: version(), say }
    const limits = { only: call.text('--only'), record: call.path('--record') }
    await serveMcp({ ...about, ...limits, folders: call.arguments, signal: call.signal })
    return 0
  } finally {
    await runtime.close()
  }
}
