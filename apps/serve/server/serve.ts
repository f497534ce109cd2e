import type { Server } from 'node:http'
import { Hono } from 'hono'
import type { ResolvedConfig } from '../../../src/config/resolve.ts'
import { pageAddress } from '../../../src/core/api/pages.ts'
import type { Reports } from '../../../src/core/api/report.ts'
import type { LocalRuntime } from '../../../src/runtime/runtime.ts'
import type { StoredRun } from '../../../src/store/run/run-folder.ts'
import { lane } from '../work/jobs/lane.ts'
import { requireVideo } from '../work/videos/find-video.ts'
import { openPlayback } from '../work/videos/playback.ts'
import { openWorkplace } from '../work/workplace.ts'
import { clusterDoor } from './cluster-view.ts'
import { keyCheck } from './guard.ts'
import { handlers, livePath, mediaPath } from './handlers.ts'
import { appListener, closeServers, guarded, type ListenAddress, listen } from './listen.ts'
import type { McpDoor } from './mcp/http.ts'
import { sourceReply } from './media.ts'
import { eventReply, mount, notFound, problemReply, type Serves } from './mount.ts'
import { modelEndpoint } from './openai/endpoint.ts'
import type { ModelParts } from './openai/parts.ts'
import { mountPage } from './page-files.ts'
import { mountPlayback } from './playback.ts'
import { reportPage, reportPath } from './report-page.ts'
import { newToken, signer } from './sign.ts'

export interface ServeOptions extends ListenAddress {
  runtime: LocalRuntime
  config: ResolvedConfig
  home: string
  environment: Readonly<Record<string, string | undefined>>
  program: readonly string[] // that starts longtake
  version: string
  page: string // the folder of the built page
  folders: readonly string[]
  key?: string // that programs may send in place of the token
  runs(): Promise<StoredRun[]> // the newest first
  reports: Reports // of evaluations, of which the server knows nothing
  say(line: string): void
}

export interface RunningServer {
  url: string // "http://127.0.0.1:4747"
  token: string
  close(): Promise<void>
}

// Serves the API until it is closed.
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { runtime, config, home, environment, program, version, runs, reports, key, say } = options
  const workplace = await openWorkplace({ runtime, home, environment, program, folders: options.folders, alone: true })
  const { served, jobs } = workplace
  const token = newToken()
  const signs = signer()
  let url = ''

  let opened: Promise<McpDoor> | undefined
  const mcpDoor = () => {
    opened ??= import('./mcp/http.ts').then(({ openMcpDoor }) => openMcpDoor(workplace, version, say))
    return opened
  }
  // Of a moment of a video, on the page.
  const momentAt: ModelParts['link'] = (video, { id, span: { start, end } }) =>
    url + pageAddress('video', { video }, { t: `${start}-${end}`, row: id })

  const app = new Hono<Serves>()
  const cluster = clusterDoor(config.settings.cluster, environment)
  const deps = { place: workplace, config, version, signer: signs, runs, reports, cluster, api: () => `${url}/api` }
  const checkKey = keyCheck(key === undefined ? [token] : [token, key])
  mount(app, '/api', handlers(deps), checkKey)
  app.all('/mcp', async context => {
    checkKey(context.req.header('authorization'))
    return (await mcpDoor()).fetch(context.req.raw)
  })
  const models = { ...workplace, following: lane(1), link: momentAt }
  app.route('/v1', modelEndpoint(models, checkKey, say))
  app.get('/live/:signature/events', context => {
    if (!signs.isSigned(livePath, context.req.param('signature'))) return notFound()
    const leave = new AbortController()
    context.req.raw.signal.addEventListener('abort', () => leave.abort(), { once: true })
    const last = context.req.header('last-event-id')
    return eventReply(jobs.events.followAll(last, leave.signal), leave)
  })
  const signedVideo = (id: string, signature: string) =>
    signs.isSigned(mediaPath(id), signature) ? requireVideo(runtime.library, id) : notFound()
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

  const listener = appListener(app, say)
  const close = async (servers: readonly Server[]) => {
    closeServers(servers)
    await (await opened)?.close()
    await cluster.close()
    await workplace.close()
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

function caught(work: () => never): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
