import type { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { whenAborted } from '../../../../src/core/basics/signals.ts'
import type { LocalRuntime } from '../../../../src/runtime/runtime.ts'
import { openWorkplace } from '../../work/workplace.ts'
import type { RecordedToolCall } from './define-tool.ts'
import { screenMessages } from './screen-messages.ts'
import { mcpFactory, openDesk } from './server.ts'

interface StdioOptions {
  runtime: LocalRuntime
  home: string
  environment: Readonly<Record<string, string | undefined>>
  program: readonly string[] // that starts longtake
  version: string
  folders: readonly string[]
  only?: string // the id or name of the one video that is served, the only one to be read
  record?: string // a file that gets a line for each call
  signal: AbortSignal
  say(line: string): void
}

// Serves one host over stdin and stdout, until it closes them or the signal comes. Others may use the same data folder.
export async function serveMcp(options: StdioOptions): Promise<void> {
  const { version, signal, say, only, record, ...about } = options
  const workplace = await openWorkplace({ ...about, alone: false })
  const servers = new Set<McpServer>()
  const forget = workplace.jobs.events.onIndexed(() => {
    for (const server of servers) if (server.isConnected()) server.sendResourceListChanged()
  })
  try {
    const factory = mcpFactory(
      { ...openDesk(workplace, version), only, record: record === undefined ? undefined : await callRecorder(record) },
      server => servers.add(server),
    )
    await new Promise<void>(resolve => {
      const serving = serveStdio(factory, { transport: new Wire(resolve), onerror: error => say(error.message) })
      whenAborted(signal, () => serving.close().then(resolve))
    })
  } finally {
    forget()
    await workplace.close()
  }
}

async function callRecorder(file: string): Promise<(call: RecordedToolCall) => Promise<void>> {
  const { openJsonLines } = await import('../../../../src/store/json-lines.ts')
  const lines = await openJsonLines(file, 'at-flush')
  return call => lines.append(call)
}

// Tells when the host has closed its end.
class Wire extends StdioServerTransport {
  readonly #closed: () => void
  constructor(closed: () => void) {
    const screen = screenMessages(line => void process.stdout.write(line))
    process.stdin.once('close', () => screen.end())
    super(process.stdin.pipe(screen), process.stdout)
    this.#closed = closed
  }

  override async close(): Promise<void> {
    await super.close()
    process.stdin.unpipe().pause() // else it keeps the process alive
    this.#closed()
  }
}
