import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { isThisMachine } from '../../src/core/basics/address.ts'
import { errorCode, errorText, UsageError } from '../../src/core/errors.ts'

interface Sending {
  method: 'GET' | 'POST'
  url: URL
  headers: Record<string, string>
  body?: Uint8Array
}

export interface Received {
  status: number
  headers: Record<string, string | undefined>
  body: AsyncIterable<Uint8Array> // decompressed; throws a TransportError
  discard(): void
}

interface TransportOptions {
  connectSeconds: number
  stallSeconds: number // silence in the middle of a reply
  headersSeconds?: number // silence before it; without it only the caller's signal ends the wait
  maxBytes?: number // of a reply, decompressed
  redirects?: number // how many are followed; another host does not get the key
}

interface Transport {
  send(sending: Sending, signal: AbortSignal): Promise<Received>
  close(): Promise<void>
}

// An error of the connection, as opposed to an error reply.
export class TransportError extends Error {
  readonly kind: 'connect' | 'stall' | 'cut' | 'too-big' | 'compression'
  readonly code?: string
  constructor(kind: TransportError['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
    const code = errorCode(cause)
    if (!code?.startsWith('UND_ERR')) this.code = code
  }
}

type Environment = Readonly<Record<string, string | undefined>>

// Requests over undici, which is what Node's fetch is made of. fetch itself ends every reply that is silent for five
// minutes, which a large model on a CPU needs before its first word, and knows no proxies in Node 20.
export function openTransport(environment: Environment, options: TransportOptions): Transport {
  let opening: Promise<Dispatcher> | undefined
  return {
    async send({ url, ...sending }, signal) {
      opening ??= openDispatcher(isLoopbackUrl(url) ? {} : environment, options)
      const dispatcher = await opening
      let response: Dispatcher.ResponseData
      try {
        response = await dispatcher.request({
          ...sending,
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          signal,
          headersTimeout: (options.headersSeconds ?? 0) * 1000,
          bodyTimeout: options.stallSeconds * 1000,
        })
      } catch (error) {
        throw unsent(error, options)
      }
      const { statusCode, headers, body } = response
      body.on('error', () => {}) // readers of the body get the error; a discarded body has no reader
      const single = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value])
      return {
        status: statusCode,
        headers: Object.fromEntries(single),
        body: bounded(body, String(headers['content-encoding'] ?? ''), options),
        discard: () => void body.destroy(),
      }
    },
    close: async () => (await opening?.catch(() => undefined))?.destroy(), // if it could not open, every request says why
  }
}

async function openDispatcher(environment: Environment, options: TransportOptions): Promise<Dispatcher> {
  const { EnvHttpProxyAgent, interceptors } = await import('undici')
  const connect = { timeout: options.connectSeconds * 1000 }
  const agent = new EnvHttpProxyAgent({
    httpProxy: proxyAddress(environment, 'HTTP_PROXY'),
    httpsProxy: proxyAddress(environment, 'HTTPS_PROXY'),
    noProxy: variable(environment, 'NO_PROXY'),
    proxyTunnel: false, // CONNECT only for https: many proxies refuse it for http
    connect,
    requestTls: connect,
    proxyTls: connect,
  })
  return options.redirects ? agent.compose(interceptors.redirect({ maxRedirections: options.redirects })) : agent
}

// The variable that names the proxy for a URL, for hints; only undici knows whether NO_PROXY excludes its host.
export function proxyVariable(environment: Environment, url: URL): string | undefined {
  if (isLoopbackUrl(url)) return undefined
  const names = url.protocol === 'https:' ? ['HTTPS_PROXY', 'HTTP_PROXY'] : ['HTTP_PROXY']
  return names.find(name => variable(environment, name) !== '')
}

// Servers on this machine are never asked through a proxy.
export function isLoopbackUrl({ hostname }: URL): boolean {
  return isThisMachine(hostname) || hostname.endsWith('.localhost')
}

// "proxy:3128" is common and means http.
function proxyAddress(environment: Environment, name: string): string {
  const value = variable(environment, name)
  const address = value === '' || value.includes('://') ? value : `http://${value}`
  if (address === '' || (URL.canParse(address) && /^(https?|socks5?):\/\//.test(address))) return address
  throw new UsageError(`The environment variable ${name} must hold the address of a proxy.`, {
    hint: `Write it in full, as http://127.0.0.1:3128, or unset ${name}.`,
  })
}

function variable(environment: Environment, name: string): string {
  return (environment[name.toLowerCase()] || environment[name] || '').trim()
}

// Error codes of a connection that was never made. UND_ERR_ABORTED: a proxy refused the tunnel.
const unconnected =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ERR_TLS|UNABLE_TO|UND_ERR_(ABORTED|PRX_TLS))|CERT/

function unsent(error: unknown, { connectSeconds, headersSeconds }: TransportOptions): TransportError {
  const code = errorCode(error) ?? ''
  if (code === 'UND_ERR_CONNECT_TIMEOUT')
    return new TransportError('connect', `no connection within ${connectSeconds} s`, error)
  if (code === 'UND_ERR_HEADERS_TIMEOUT')
    return new TransportError('stall', `no answer within ${headersSeconds} s`, error)
  return new TransportError(unconnected.test(code) ? 'connect' : 'cut', errorText(error), error)
}

async function* bounded(body: Readable, encoding: string, options: TransportOptions): AsyncGenerator<Uint8Array> {
  const { stallSeconds, maxBytes = Number.POSITIVE_INFINITY } = options
  const stream = decompressed(body, encoding)
  let bytes = 0
  try {
    for await (const chunk of stream) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new TransportError('too-big', `its reply is longer than ${maxBytes} bytes`)
      yield chunk
    }
  } catch (error) {
    if (error instanceof TransportError) throw error
    if (errorCode(body.errored) === 'UND_ERR_BODY_TIMEOUT')
      throw new TransportError('stall', `silent for ${stallSeconds} s in the middle of its reply`, error)
    throw body.errored || stream === body
      ? new TransportError('cut', 'it cut the reply', error)
      : new TransportError('compression', 'its compressed reply is broken', error)
  } finally {
    body.destroy()
  }
}

const decompressors: Record<string, () => ReturnType<typeof createGunzip>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

function decompressed(body: Readable, encoding: string): Readable {
  const decompress = decompressors[encoding.toLowerCase()]?.()
  if (!decompress) return body
  body.on('error', error => decompress.destroy(error))
  return body.pipe(decompress)
}
