import type { Closable, Host } from '../../src/core/backend.ts'
import { below, readAddress } from './address.ts'
import {
  type Explain,
  explainStatus,
  explainTransportError,
  type ServerAddress,
  serverMessage,
} from './explain-failure.ts'
import type { RequestLimits } from './limits.ts'
import { openRetries, type RetryAttempt } from './retry.ts'
import { ServerError, type ServerErrorDetails, throwIfStopped } from './server-error.ts'
import { openTransport, proxyVariable, type Received } from './transport.ts'

interface ServerSettings {
  name: string // for messages: "chat/openai"
  url: string
  limits: RequestLimits
  key?: string // sent as a bearer token; never written anywhere
  start: string // hint if nothing listens there
  explain?: Explain // of this protocol's error replies
}

// A server that models ask. `call` retries its work; each attempt may make several requests.
export interface Server extends Closable {
  name: string
  shown: string
  call<T>(signal: AbortSignal, work: (asking: RequestAttempt) => Promise<T>): Promise<T>
  close(): Promise<void>
}

// The requests of one attempt. A status other than 2xx is thrown as a ServerError.
export interface RequestAttempt extends RetryAttempt {
  get(path: string): Promise<ServerReply>
  post(path: string, body: object | Uint8Array, headers?: Record<string, string>): Promise<ServerReply>
}

export interface ServerReply {
  status: number
  type: string // "application/json"
  body: AsyncIterable<Uint8Array> // can be read once; throws ServerError
  error(message: string, details: ServerErrorDetails): ServerError
  refusal(body: unknown): ServerError // an error object with status 200 or in the middle of a stream
}

export function openServer(settings: ServerSettings, host: Host): Server {
  const { name, limits, key } = settings
  const { base, shown, authorization } = readAddress(name, settings.url)
  const retries = openRetries({ name, server: shown, limits, host })
  const transport = openTransport(host.environment, limits)
  const common: Record<string, string> = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'longtake' }
  if (key) common.authorization = `Bearer ${key}`
  else if (authorization) common.authorization = authorization

  const secrets = [key, authorization?.slice('Basic '.length)].filter(secret => secret !== undefined)
  const serverAddress: ServerAddress = {
    name,
    shown,
    start: settings.start,
    proxy: proxyVariable(host.environment, base),
    hasKey: 'authorization' in common,
    clean: cleaner(secrets),
    explain: settings.explain,
  }

  const ask = async ({ signal }: RetryAttempt, path: string, body?: Uint8Array, headers?: Record<string, string>) => {
    const method = body ? 'POST' : 'GET'
    let received: Received
    try {
      received = await transport.send(
        { method, url: below(base, path), headers: { ...common, ...headers }, body },
        signal,
      )
    } catch (error) {
      throwIfStopped(signal)
      throw explainTransportError(serverAddress, error)
    }
    const reply = asReply(serverAddress, received, signal)
    if (received.status < 200 || received.status > 299) throw await explainStatus(serverAddress, received, reply.body)
    return reply
  }
  const json = { 'content-type': 'application/json' }

  return {
    name,
    shown,
    call: (signal, work) =>
      retries.run(signal, attempt =>
        work({
          ...attempt,
          get: path => ask(attempt, path),
          post: (path, body, headers) =>
            body instanceof Uint8Array
              ? ask(attempt, path, body, headers)
              : ask(attempt, path, Buffer.from(JSON.stringify(body)), { ...json, ...headers }),
        }),
      ),
    close: () => transport.close(),
  }
}

function asReply(place: ServerAddress, received: Received, signal: AbortSignal): ServerReply {
  async function* body() {
    try {
      yield* received.body
    } catch (error) {
      throwIfStopped(signal)
      throw explainTransportError(place, error)
    }
  }
  const error = (message: string, details: ServerErrorDetails) =>
    new ServerError(`${place.name} at ${place.shown} ${place.clean(message)}`, { status: received.status, ...details })
  return {
    status: received.status,
    type: (received.headers['content-type'] ?? '').replace(/;.*/s, '').trim().toLowerCase(),
    body: body(),
    error,
    refusal(body) {
      const { said, code, waitSeconds } = serverMessage(body)
      const status = Number(/\b[45]\d\d\b/.exec(code)?.[0] ?? 500)
      return error(`failed: ${said || 'it does not say why'}`, {
        retry: 'once',
        status,
        said: place.clean(said),
        waitSeconds,
        ...place.explain?.(status, said, code),
      })
    },
  }
}

function cleaner(secrets: string[]): (text: string) => string {
  return text => secrets.reduce((clean, secret) => clean.replaceAll(secret, '[key]'), text)
}
