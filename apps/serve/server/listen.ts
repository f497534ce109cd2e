import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import { toProblem } from '../../../src/core/api/problem.ts'
import { errorCode, UsageError } from '../../../src/core/errors.ts'
import { limitBody } from './body-time.ts'
import { guard, type Names } from './guard.ts'
import { isClientGone, problemReply, type Serves } from './mount.ts'
import { securityHeaders } from './policy.ts'

const patience = 30_000 // milliseconds that a client may go on sending after it was refused

// A refusal of a request whose body is still coming. Many clients send all of it before they read a word: cut off meanwhile, they
// would see a broken connection and no reason. The reply goes out at once, and the rest of the body is read and dropped.
function linger(reply: Response, incoming: IncomingMessage): Response | Promise<Response> {
  if (reply.status < 400 || incoming.complete || incoming.method === 'GET' || incoming.method === 'HEAD') return reply
  return reply.arrayBuffer().then(body => {
    const stream = new ReadableStream<Uint8Array>({
      start: controller => controller.enqueue(new Uint8Array(body)),
      async pull(controller) {
        await rest(incoming)
        controller.close()
      },
    })
    const headers = new Headers(reply.headers)
    headers.set('content-length', String(body.byteLength)) // the client need not wait for the end of the stream
    return new Response(stream, { status: reply.status, headers })
  })
}

function rest(incoming: IncomingMessage): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, patience)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    for (const event of ['end', 'close', 'error']) incoming.once(event, end)
    incoming.removeAllListeners('data') // whoever read it before would pause it
    incoming.on('data', () => {}).resume()
  })
}

export interface ListenAddress {
  host: string
  port: number // 0: any free one
  trusted: readonly string[] // names of this machine, where it listens to others
}

// What breaks in the app is a problem for who asked, and a line here where it is ours.
export function appListener(app: Hono<Serves>, say: (line: string) => void): RequestListener {
  app.onError((error, { req }) => {
    const reply = problemReply(error)
    if (reply.status === 500 && !isClientGone(error, req.raw)) say(toProblem(error).problem.error.message)
    return reply
  })
  const unreadable = () => problemReply(new UsageError('The address of the request cannot be read.'))
  const answer = (request: Request, env: HttpBindings) => {
    const reply = app.fetch(request, env)
    return reply instanceof Promise ? reply.then(one => linger(one, env.incoming)) : linger(reply, env.incoming)
  }
  return getRequestListener((request, env) => answer(request, env as HttpBindings), {
    overrideGlobalObjects: false,
    errorHandler: unreadable,
  })
}

// Nothing sees a request that the guard has not let in.
export function guarded(names: () => Names, listener: RequestListener): RequestListener {
  return (request: IncomingMessage, response: ServerResponse) => {
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value)
    try {
      const { method = '', url: target = '', rawHeaders } = request
      limitBody(request)
      const entry = guard(names(), { method, target, rawHeaders })
      if (entry.to === 'serve') return listener(request, response)
      response.writeHead(308, { location: entry.location }).end()
    } catch (error) {
      const { status, problem } = toProblem(error)
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
      response.end(JSON.stringify(problem))
    }
  }
}

const loopback = ['127.0.0.1', '::1', 'localhost']

export function isLoopbackHost(host: string): boolean {
  return loopback.includes(host)
}

// On 127.0.0.1 and on ::1 with the same port, if there is one: then nobody else answers to "localhost".
export async function listen(
  { host, port, trusted }: ListenAddress,
  listenerOf: (names: Names) => RequestListener,
): Promise<{ servers: Server[]; names: Names }> {
  for (let attempt = 1; ; attempt++) {
    const names: { own: string[]; elsewhere: string[] } = { own: [], elsewhere: [] }
    const listener = listenerOf(names)
    const first = await listenAt(isLoopbackHost(host) ? '127.0.0.1' : host, port, listener)
    const bound = (first.address() as AddressInfo).port
    const at = (name: string) => (/:\d+$/.test(name) ? name : bound === 80 ? name : `${name}:${bound}`)
    if (!isLoopbackHost(host)) {
      names.own.push(...trusted.map(at))
      return { servers: [first], names }
    }
    names.own.push(at('127.0.0.1'), ...trusted.map(at))
    names.elsewhere.push(at('localhost'), bound === 80 ? '[::1]' : `[::1]:${bound}`)
    try {
      return { servers: [first, await listenAt('::1', bound, listener)], names }
    } catch (error) {
      const code = errorCode(error instanceof UsageError ? error.cause : error)
      if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') return { servers: [first], names } // a machine without IPv6
      first.close()
      if (port !== 0 || attempt === 10) throw error
    }
  }
}

async function listenAt(host: string, port: number, listener: RequestListener): Promise<Server> {
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 0, connectionsCheckingInterval: 1000, keepAliveTimeout: 5000 },
    listener,
  )
  server.maxConnections = 1024
  server.maxHeadersCount = 0 // all of them, within 16 KB: the guard must see each
  await new Promise<void>((resolve, reject) => {
    server.once('error', cause => reject(cannotListen(host, port, cause)))
    server.listen({ host, port, ipv6Only: true }, resolve)
  })
  return server
}

function cannotListen(host: string, port: number, cause: Error): Error {
  const why = errorCode(cause) === 'EADDRINUSE' ? 'another program listens there' : cause.message
  return new UsageError(`longtake cannot listen at ${host}, port ${port}: ${why}.`, {
    hint: 'Choose another port with --port, or any free one with --port 0.',
    cause,
  })
}

export function closeServers(servers: readonly Server[]): void {
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
}
