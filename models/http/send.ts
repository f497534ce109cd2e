import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Limits } from './limits.ts'

export interface Sending {
  method: 'GET' | 'POST'
  url: URL
  headers: Record<string, string>
  body?: Uint8Array
  agent: http.Agent
}

export interface Received {
  status: number
  headers: http.IncomingHttpHeaders
  body: AsyncIterable<Uint8Array> // unpacked, never more than the limit
}

// What can go wrong on the way, before anything is known of what the server means.
export class TransportError extends Error {
  readonly kind: 'connect' | 'stall' | 'cut' | 'too-big' | 'packed'
  readonly code?: string
  constructor(kind: TransportError['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
    this.code = (cause as NodeJS.ErrnoException | undefined)?.code
  }
}

// One request over node:http. Node's fetch is not used: it ends every reply that is silent for five minutes, which a
// large model on a CPU needs before its first word, and follows redirects with the key.
export async function send(sending: Sending, limits: Limits, signal: AbortSignal): Promise<Received> {
  const { method, url, headers, body, agent } = sending
  const client = url.protocol === 'https:' ? https : http
  const request = client.request(url, { method, headers, agent, signal })
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const timer = setTimeout(
      () => request.destroy(new TransportError('connect', `no connection within ${limits.connectSeconds} s`)),
      limits.connectSeconds * 1000,
    )
    request.once('socket', socket => whenConnected(socket, url.protocol, () => clearTimeout(timer)))
    request.once('response', resolve)
    request.once('error', error => {
      clearTimeout(timer)
      reject(
        error instanceof TransportError
          ? error
          : new TransportError(sent(request) ? 'cut' : 'connect', error.message, error),
      )
    })
    request.end(body)
  })
  return { status: response.statusCode ?? 0, headers: response.headers, body: bounded(response, limits) }
}

function whenConnected(socket: Socket, protocol: string, then: () => void): void {
  if (!socket.connecting) then()
  else socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', then)
}

function sent(request: http.ClientRequest): boolean {
  return request.reusedSocket || (request.socket?.bytesWritten ?? 0) > 0
}

async function* bounded(response: http.IncomingMessage, limits: Limits): AsyncGenerator<Uint8Array> {
  const stalled = () =>
    response.destroy(new TransportError('stall', `silent for ${limits.stallSeconds} s in the middle of its reply`))
  let timer = setTimeout(stalled, limits.stallSeconds * 1000)
  const stream = unpacked(response)
  let bytes = 0
  try {
    for await (const chunk of stream) {
      clearTimeout(timer)
      bytes += chunk.length
      if (bytes > limits.maxBytes)
        throw new TransportError('too-big', `its reply is longer than ${limits.maxBytes} bytes`)
      yield chunk
      timer = setTimeout(stalled, limits.stallSeconds * 1000)
    }
  } catch (error) {
    if (error instanceof TransportError) throw error
    const reset = (error as NodeJS.ErrnoException).code === 'ECONNRESET'
    throw stream === response || reset
      ? new TransportError('cut', 'it cut the reply', error)
      : new TransportError('packed', 'its packed reply is broken', error)
  } finally {
    clearTimeout(timer)
    response.destroy()
  }
}

function unpacked(response: http.IncomingMessage): Readable {
  const packing = response.headers['content-encoding']?.toLowerCase() ?? 'identity'
  const unpack =
    packing === 'gzip' || packing === 'x-gzip'
      ? createGunzip()
      : packing === 'deflate'
        ? createInflate()
        : packing === 'br'
          ? createBrotliDecompress()
          : undefined
  if (!unpack) return response
  response.on('error', error => unpack.destroy(error))
  return response.pipe(unpack)
}
