import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

// What a protocol answers when nothing is wrong.
export interface Answer {
  status: number
  type: string
  pieces: Uint8Array[] // sent one by one, so that a reader meets them as a network would cut them
}

export interface Seen {
  method: string
  path: string
  headers: http.IncomingHttpHeaders
  body: unknown // parsed where it was JSON, otherwise the bytes
  unread?: boolean // the client was gone before it could have kept the answer
}

// One way to misbehave. `after` counts bytes of the right answer.
export type Fault =
  | { fault: 'slow'; seconds: number }
  | { fault: 'stall'; after: number }
  | { fault: 'status'; status: number; body?: string; headers?: Record<string, string> }
  | { fault: 'truncate'; after: number }
  | { fault: 'reset'; after?: number }
  | { fault: 'garbage' | 'html' | 'empty' | 'wrong-schema' | 'bad-utf8' | 'bom' | 'gzip' | 'broken-gzip' }
  | { fault: 'huge' | 'gzip-bomb'; bytes: number }

// A reply of one's own in place of the right one.
export const jsonInstead = (status: number, body: unknown): Fault => ({
  ...{ fault: 'status', status, headers: { 'content-type': 'application/json' } },
  body: JSON.stringify(body),
})

export interface FaultServer {
  url: string
  seen: Seen[]
  open(): number // requests that have not ended
  misbehave(...faults: (Fault | 'well')[]): void // for the next requests, in this order; then it behaves again
  close(): Promise<void>
}

// A server on loopback that answers with `answer` and misbehaves when told to.
export async function startFaultServer(answer: (seen: Seen) => Answer | Promise<Answer>): Promise<FaultServer> {
  const seen: Seen[] = []
  let planned: (Fault | 'well')[] = []
  let open = 0
  const server = http.createServer(async (request, response) => {
    open++
    response.once('close', () => open--)
    const entry: Seen = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: await bodyOf(request),
    }
    seen.push(entry)
    noteUnread(entry, response)
    const fault = planned.shift() ?? 'well'
    await deliver(response, await answer(entry), fault).catch(() => response.destroy())
  })
  server.on('connection', socket => socket.setMaxListeners(0)) // each request of a connection listens for its end
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    open: () => open,
    misbehave(...faults) {
      planned = faults
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const keeping = 30 // milliseconds that a client may need to write an answer to disk

function noteUnread(entry: Seen, response: http.ServerResponse): void {
  let sent = Number.POSITIVE_INFINITY
  response.once('finish', () => {
    sent = performance.now()
  })
  response.socket?.once('close', () => {
    entry.unread = !(performance.now() - sent > keeping)
  })
}

async function bodyOf(request: http.IncomingMessage): Promise<unknown> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  if (!/json/.test(request.headers['content-type'] ?? '')) return bytes
  return JSON.parse(bytes.toString('utf8'))
}

async function deliver(response: http.ServerResponse, answer: Answer, fault: Fault | 'well'): Promise<void> {
  if (fault === 'well') return sendAll(response, answer)
  const head = { 'content-type': answer.type }
  const whole = Buffer.concat(answer.pieces)
  switch (fault.fault) {
    case 'slow':
      await pause(fault.seconds)
      return sendAll(response, answer)
    case 'stall':
      response.writeHead(answer.status, { ...head, 'content-length': whole.length })
      response.write(whole.subarray(0, fault.after))
      return
    case 'truncate':
      response.writeHead(answer.status, { ...head, 'content-length': whole.length })
      response.write(whole.subarray(0, fault.after), () => response.destroy())
      return
    case 'reset':
      if (fault.after === undefined) return void response.destroy()
      response.writeHead(answer.status, head)
      response.write(whole.subarray(0, fault.after))
      await pause(0.02)
      return void response.socket?.resetAndDestroy()
    case 'status':
      response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers })
      return void response.end(fault.body ?? JSON.stringify({ error: { message: `scripted ${fault.status}` } }))
    case 'garbage':
      return sendAll(response, { ...answer, pieces: [Buffer.from('{"choices": [}} \u0001 not json\n')] })
    case 'html':
      return sendAll(response, {
        ...answer,
        type: 'text/html',
        pieces: [Buffer.from('<!DOCTYPE html><title>Login</title>')],
      })
    case 'empty':
      return sendAll(response, { ...answer, pieces: [] })
    case 'wrong-schema':
      return sendAll(response, {
        ...answer,
        type: 'application/json',
        pieces: [Buffer.from('{"choices":"none","message":7,"data":{},"embeddings":1}\n')],
      })
    case 'bad-utf8':
      return sendAll(response, {
        ...answer,
        pieces: [Buffer.from('{"a":"'), Buffer.from([0xff, 0xc0, 0x80]), Buffer.from('"}\n')],
      })
    case 'bom':
      return sendAll(response, { ...answer, pieces: [Buffer.from([0xef, 0xbb, 0xbf]), ...answer.pieces] })
    case 'gzip':
      response.writeHead(answer.status, { ...head, 'content-encoding': 'gzip' })
      return void response.end(gzipSync(whole))
    case 'broken-gzip':
      response.writeHead(answer.status, { ...head, 'content-encoding': 'gzip' })
      return void response.end(gzipSync(whole).fill(7, 12))
    case 'gzip-bomb':
      response.writeHead(answer.status, { ...head, 'content-encoding': 'gzip' })
      return void response.end(gzipBomb(fault.bytes))
    case 'huge':
      response.writeHead(answer.status, head)
      return sendMuch(response, fault.bytes)
  }
}

async function sendAll(response: http.ServerResponse, answer: Answer): Promise<void> {
  response.writeHead(answer.status, { 'content-type': answer.type })
  for (const piece of answer.pieces) {
    response.write(piece)
    if (answer.pieces.length > 1) await new Promise(resolve => setImmediate(resolve))
  }
  response.end()
}

async function sendMuch(response: http.ServerResponse, bytes: number): Promise<void> {
  const block = Buffer.alloc(65_536, 32)
  for (let sent = 0; sent < bytes && !response.destroyed; sent += block.length) {
    response.write(block)
    while (response.writableNeedDrain && !response.destroyed) await pause(0.001)
  }
  response.end()
}

// Many packed blocks one after another are one packed stream; so the server itself never holds what it unpacks to.
function gzipBomb(bytes: number): Uint8Array {
  const block = gzipSync(Buffer.alloc(1_000_000, 32))
  return Buffer.concat(Array.from({ length: Math.ceil(bytes / 1_000_000) }, () => block))
}

function pause(seconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, seconds * 1000))
}
