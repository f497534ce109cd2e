import type { Client } from '@modelcontextprotocol/client'
import { BackendError, errorText } from '../../src/core/errors.ts'

// An MCP server as the settings name it.
export type ServerChoice = { name: string; seconds: number; startSeconds: number } & (
  | { command: string; args: string[]; folder?: string; environment: Record<string, string> }
  | { url: string; key?: string }
)

export interface Connection {
  use<T>(work: (client: Client) => Promise<T>): Promise<T>
  close(): Promise<void>
}

// Connects when first used, and again when the server has ended in between. What goes wrong is a BackendError that names it.
export function connection(server: ServerChoice): Connection {
  let client: Promise<Client> | undefined
  let closed = false
  let said = '' // the end of what its process wrote to stderr
  const open = async (): Promise<Client> => {
    said = ''
    try {
      return await connect(server, {
        ended: () => {
          client = undefined
        },
        stderr: piece => {
          said = (said + piece).slice(-2000)
        },
      })
    } catch (error) {
      client = undefined
      throw failure(server, 'could not be reached', error, said)
    }
  }
  return {
    async use(work) {
      if (closed) throw new BackendError(`The tool server "${server.name}" is closed.`)
      client ??= open()
      const connected = await client
      try {
        return await work(connected)
      } catch (error) {
        if ((error as { name?: string }).name === 'AbortError') throw error
        throw failure(server, 'failed', error, said)
      }
    },
    async close() {
      closed = true
      const connected = await client?.catch(() => undefined)
      await connected?.close().catch(() => {})
    },
  }
}

interface Watch {
  ended(): void
  stderr(piece: string): void
}

async function connect(server: ServerChoice, watch: Watch): Promise<Client> {
  const { Client: ClientOf } = await import('@modelcontextprotocol/client')
  // Nearly every server takes the older greeting; over HTTP asking first costs one request, on a pipe a second process.
  const modes = 'command' in server ? (['legacy', 'auto'] as const) : (['auto'] as const)
  for (const [at, mode] of modes.entries()) {
    const client = new ClientOf({ name: 'longtake', version: '1' }, { versionNegotiation: { mode } })
    client.onclose = watch.ended
    try {
      await client.connect(await transportOf(server, watch), { timeout: server.startSeconds * 1000 })
      return client
    } catch (error) {
      await client.close().catch(() => {})
      const refused = typeof (error as { code?: unknown }).code === 'number'
      if (!refused || at === modes.length - 1) throw error
    }
  }
  throw new Error('no way of greeting is left')
}

async function transportOf(server: ServerChoice, watch: Watch) {
  if ('command' in server) {
    const { StdioClientTransport, getDefaultEnvironment } = await import('@modelcontextprotocol/client/stdio')
    const transport = new StdioClientTransport({
      command: server.command,
      args: server.args,
      cwd: server.folder,
      env: { ...getDefaultEnvironment(), ...server.environment },
      stderr: 'pipe',
      maxBufferSize: 4 * 1024 * 1024,
    })
    transport.stderr?.on('data', (piece: Buffer) => watch.stderr(piece.toString('utf8')))
    return transport
  }
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const headers = server.key ? { authorization: `Bearer ${server.key}` } : undefined
  return new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers },
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 1,
    },
  })
}

function failure(server: ServerChoice, how: string, error: unknown, stderr: string): BackendError {
  if (error instanceof BackendError) return error
  const late = (error as { code?: unknown }).code === 'REQUEST_TIMEOUT' || /timed out/i.test(errorText(error))
  const last = stderr.trim().split('\n').at(-1)?.slice(0, 200)
  const what = late ? `did not answer within ${server.seconds} s` : `${how}: ${errorText(error).slice(0, 300)}`
  return new BackendError(`The tool server "${server.name}" ${what}.${last ? ` It said: ${last}` : ''}`, {
    hint: `Look at tools.servers.${server.name}: ${'command' in server ? `does "${server.command}" start?` : `does ${server.url} answer?`}`,
    retryable: late,
    cause: error,
  })
}
