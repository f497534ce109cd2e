import type { Client } from '@modelcontextprotocol/client'
import { BackendError, errorText } from '../../src/core/errors.ts'
import { maxMessage, maxTotal, TooMuchError } from './limits.ts'
import { foreignLine } from './plain.ts'
import { ServerProcess } from './server-process.ts'

// An MCP server as the settings name it.
export type ServerChoice = { name: string; seconds: number; startSeconds: number } & (
  | { command: string; args: string[]; folder?: string; environment: Record<string, string> }
  | { url: string; key?: string }
)

export interface Connection {
  use<T>(work: (client: Client) => Promise<T>, seconds?: number): Promise<T> // the limit, for the message
  close(): Promise<void>
}

// Connects when first used, and again when the server has ended in between. What goes wrong is a BackendError that names it.
export function connectLazily(server: ServerChoice): Connection {
  let client: Promise<Client> | undefined
  let closed = false
  let fault: TooMuchError | undefined // why we left it
  let stderrEnd = '' // the end of what its process wrote to stderr
  const open = async (): Promise<Client> => {
    stderrEnd = ''
    fault = undefined
    try {
      return await connect(server, {
        ended: () => {
          client = undefined
        },
        left: reason => {
          fault = reason
        },
        stderr: piece => {
          stderrEnd = (stderrEnd + piece).slice(-2000)
        },
      })
    } catch (error) {
      client = undefined
      throw failure(server, {
        how: 'could not be reached',
        seconds: server.startSeconds,
        error: fault ?? error,
        said: stderrEnd,
      })
    }
  }
  return {
    async use(work, seconds = server.seconds) {
      if (closed) throw new BackendError(`The tool server "${server.name}" is closed.`)
      client ??= open()
      const connected = await client
      try {
        return await work(connected)
      } catch (error) {
        if ((error as { name?: string }).name === 'AbortError') throw error
        throw failure(server, { how: 'failed', seconds, error: fault ?? error, said: stderrEnd })
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
  left(reason: TooMuchError): void
  stderr(piece: string): void
}

async function connect(server: ServerChoice, watch: Watch): Promise<Client> {
  const { Client } = await import('@modelcontextprotocol/client')
  // Nearly every server takes the older greeting; over HTTP asking first costs one request, on a pipe a second process.
  const modes = 'command' in server ? (['legacy', 'auto'] as const) : (['auto'] as const)
  for (const [at, mode] of modes.entries()) {
    const client = new Client(
      { name: 'longtake', version: '1' },
      { versionNegotiation: { mode }, jsonSchemaValidator: unchecked },
    )
    client.onclose = watch.ended
    client.onerror = error => {
      if (error instanceof TooMuchError) watch.left(error)
    }
    const leave = (reason: TooMuchError) => {
      watch.left(reason)
      client.close().catch(() => {})
    }
    try {
      await client.connect(await openServerTransport(server, watch, leave), { timeout: server.startSeconds * 1000 })
      return client
    } catch (error) {
      await client.close().catch(() => {})
      const refused = typeof (error as { code?: unknown }).code === 'number'
      if (!refused || at === modes.length - 1) throw error
    }
  }
  throw new Error('no way of greeting is left')
}

// A server's schema of its own answers is its own affair: its patterns would run here, on its texts, for as long as it likes.
const unchecked = {
  getValidator:
    <T>() =>
    (value: unknown) => ({ valid: true as const, data: value as T & {}, errorMessage: undefined }),
}

async function openServerTransport(server: ServerChoice, watch: Watch, left: (reason: TooMuchError) => void) {
  if ('command' in server) {
    const { getDefaultEnvironment } = await import('@modelcontextprotocol/client/stdio')
    const framing = await import('@modelcontextprotocol/client')
    const environment = { ...getDefaultEnvironment(), ...server.environment }
    const transport = new ServerProcess({ ...server, environment }, framing)
    transport.stderr.on('data', (piece: Buffer) => watch.stderr(piece.toString('utf8')))
    return transport
  }
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const headers = server.key ? { authorization: `Bearer ${server.key}` } : undefined
  return new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers },
    fetch: boundedFetch(left),
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 1,
    },
  })
}

interface Failure {
  how: string
  seconds: number // the limit of what was asked
  error: unknown
  said: string
}

function failure(server: ServerChoice, { how, seconds, error, said }: Failure): BackendError {
  if (error instanceof BackendError) return error
  const late = (error as { code?: unknown }).code === 'REQUEST_TIMEOUT' || /timed out/i.test(errorText(error))
  const last = foreignLine(said.trim().split('\n').at(-1) ?? '', 200)
  const what = late ? `did not answer within ${seconds} s` : `${how}: ${foreignLine(errorText(error), 300)}`
  return new BackendError(`The tool server "${server.name}" ${what}.${last ? ` It said: ${last}` : ''}`, {
    hint: `Look at tools.servers.${server.name}: ${'command' in server ? `does "${server.command}" start?` : `does ${server.url} answer?`}`,
    retryable: late,
    cause: error,
  })
}

// fetch whose bodies are bounded while they are read: a reply is one message, an event stream many.
function boundedFetch(leave: (reason: TooMuchError) => void) {
  return async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetch(url, init)
    if (!response.body) return response
    const isStream = /^\s*text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')
    const count = counter(isStream)
    const body = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, controller) {
          const reason = count(piece)
          if (reason) {
            controller.error(reason)
            leave(reason)
          } else controller.enqueue(piece)
        },
      }),
    )
    const bounded = new Response(body, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    })
    // Where it came from decides what a redirect may do.
    for (const name of ['url', 'redirected'] as const) Object.defineProperty(bounded, name, { value: response[name] })
    return bounded
  }
}

function counter(isStream: boolean): (piece: Uint8Array) => TooMuchError | undefined {
  let total = 0
  let message = 0
  let lineIsEmpty = false
  return piece => {
    total += piece.length
    for (const byte of isStream ? piece : []) {
      message++
      if (byte === 0x0a && lineIsEmpty) message = 0 // an empty line ends an event
      if (byte !== 0x0d) lineIsEmpty = byte === 0x0a
      if (message > maxMessage) break
    }
    if ((isStream ? message : total) > maxMessage) return new TooMuchError('a message', maxMessage)
    return total > maxTotal ? new TooMuchError('in all', maxTotal) : undefined
  }
}
