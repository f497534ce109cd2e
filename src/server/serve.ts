import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import type { OpenRuntime } from '../app/runtime.ts'
import { lane } from '../app/serve/jobs/lane.ts'
import { findVideo } from '../app/serve/videos/find-video.ts'
import { openPlayback } from '../app/serve/videos/playback.ts'
import { openWorkplace } from '../app/serve/workplace.ts'
import type { ResolvedConfig } from '../config/resolve.ts'
import { pageAddress } from '../core/api/pages.ts'
import { problemOf } from '../core/api/problem.ts'
import type { Reports } from '../core/api/report.ts'
import { errorCode, UsageError } from '../core/errors.ts'
import type { RunEntry } from '../store/run/run-folder.ts'
import { limitBody } from './body-time.ts'
import { clusterDoor } from './cluster-view.ts'
import { guard, keyCheck, type Names } from './guard.ts'
import { handlers, livePath, mediaPath } from './handlers.ts'
import type { McpDoor } from './mcp/http.ts'
import { sourceReply } from './media.ts'
import { eventReply, mount, notFound, problemReply, type Serves } from './mount.ts'
import { modelEndpoint } from './openai/endpoint.ts'
import type { ModelParts } from './openai/parts.ts'
import { mountPage } from './page-files.ts'
import { mountPlayback } from './playback.ts'
import { securityHeaders } from './policy.ts'
import { reportPage, reportPath } from './report-page.ts'
import { newToken, signer } from './sign.ts'

export interface ServeOptions {
  runtime: OpenRuntime
  config: ResolvedConfig
  home: string
  environment: Readonly<Record<string, string | undefined>>
  program: readonly string[] // that starts longtake
  version: string
  page: string // the folder of the built page
  folders: readonly string[]
  host: string
  port: number // 0: any free one
  trusted: readonly string[] // names of this machine, where it listens to others
  key?: string // that programs may send in place of the token
  runs(): Promise<RunEntry[]> // the newest first
  reports: Reports // of evaluations, of which the server knows nothing
  say(line: string): void
}

export interface Serving {
  url: string // "http://127.0.0.1:4747"
  token: string
  close(): Promise<void>
}

// Serves the API until it is closed.
export async function serve(options: ServeOptions): Promise<Serving> {
  const { runtime, config, home, environment, program, version, runs, reports, key, say } = options
  const place = await openWorkplace({ runtime, home, environment, program, folders: options.folders, alone: true })
  const { served, jobs } = place
  const token = newToken()
  const signs = signer()
  let url = ''

  let opened: Promise<McpDoor> | undefined
  const mcpDoor = () => {
    opened ??= import('./mcp/http.ts').then(({ openMcpDoor }) => openMcpDoor(place, version, say))
    return opened
  }
  // Of a moment of a video, on the page.
  const momentAt: ModelParts['link'] = (video, { id, span: { start, end } }) =>
    url + pageAddress('video', { video }, { t: `${start}-${end}`, row: id })

  const app = new Hono<Serves>()
  const cluster = clusterDoor(config.settings.cluster, environment)
  const doors = { place, config, version, signer: signs, runs, reports, cluster, api: () => `${url}/api` }
  const checkKey = keyCheck(key === undefined ? [token] : [token, key])
  mount(app, '/api', handlers(doors), checkKey)
  app.all('/mcp', async context => {
    checkKey(context.req.header('authorization'))
    return (await mcpDoor()).fetch(context.req.raw)
  })
  const models = { ...place, following: lane(1), link: momentAt }
  app.route('/v1', modelEndpoint(models, checkKey, say))
  app.get('/live/:signature/events', context => {
    if (!signs.isSigned(livePath, context.req.param('signature'))) return notFound()
    const leave = new AbortController()
    context.req.raw.signal.addEventListener('abort', () => leave.abort(), { once: true })
    const last = context.req.header('last-event-id')
    return eventReply(jobs.followAll(last, leave.signal), leave)
  })
  const signedVideo = (id: string, signature: string) =>
    signs.isSigned(mediaPath(id), signature) ? findVideo(runtime.library, id) : notFound()
  app.get('/media/:signature/:video/source', async context => {
    const { signature, video } = context.req.param()
    return sourceReply(await signedVideo(video, signature), context.req.method, context.req.header('range'))
  })
  app.get('/report/:signature/:page', async context => {
    const { signature, page } = context.req.param()
    const report = /^(.+)\.html$/.exec(page)?.[1] ?? notFound()
    if (!signs.isSigned(reportPath(report), signature)) return notFound()
    return reportPage(reports, report)
  })
  const playback = openPlayback(home, runtime.settings.serve.playback, served.signal)
  mountPlayback(app, { served, playback, signedVideo })
  const strayPage = await mountPage(app, options.page)
  app.notFound(({ req }) => strayPage(req.header('accept')) ?? problemReply(caught(notFound)))
  app.onError(error => {
    const reply = problemReply(error)
    if (reply.status === 500) say(problemOf(error).problem.error.message)
    return reply
  })

  const unreadable = () => problemReply(new UsageError('The address of the request cannot be read.'))
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false, errorHandler: unreadable })
  const close = async (servers: readonly Server[]) => {
    for (const server of servers) {
      server.close()
      server.closeAllConnections()
    }
    await (await opened)?.close()
    await cluster.close()
    await place.close()
  }
  try {
    const { servers, names } = await listen(options, names => guarded(() => names, listener))
    url = `http://${names.own[0]}`
    return { url, token, close: () => close(servers) }
  } catch (error) {
    await close([])
    throw error
  }
}

// Nothing sees a request that the guard has not let in.
function guarded(names: () => Names, listener: RequestListener): RequestListener {
  return (request: IncomingMessage, response: ServerResponse) => {
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value)
    try {
      const { method = '', url: target = '', rawHeaders } = request
      limitBody(request)
      const entry = guard(names(), { method, target, rawHeaders })
      if (entry.to === 'serve') return listener(request, response)
      response.writeHead(308, { location: entry.location }).end()
    } catch (error) {
      const { status, problem } = problemOf(error)
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
      response.end(JSON.stringify(problem))
    }
  }
}

const loopback = ['127.0.0.1', '::1', 'localhost']

export function isLoopback(host: string): boolean {
  return loopback.includes(host)
}

// On 127.0.0.1 and on ::1 with the same port, where there is one: then nobody else answers to "localhost".
async function listen(
  { host, port, trusted }: Pick<ServeOptions, 'host' | 'port' | 'trusted'>,
  listenerOf: (names: Names) => RequestListener,
): Promise<{ servers: Server[]; names: Names }> {
  for (let attempt = 1; ; attempt++) {
    const names: { own: string[]; elsewhere: string[] } = { own: [], elsewhere: [] }
    const listener = listenerOf(names)
    const first = await listenAt(isLoopback(host) ? '127.0.0.1' : host, port, listener)
    const bound = (first.address() as AddressInfo).port
    const at = (name: string) => (/:\d+$/.test(name) ? name : bound === 80 ? name : `${name}:${bound}`)
    if (!isLoopback(host)) {
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

function caught(work: () => never): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
