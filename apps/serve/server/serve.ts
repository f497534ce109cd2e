import { open } from 'node:fs/promises'
import type { Server } from 'node:http'
import { type Context, Hono } from 'hono'
import type { ResolvedConfig } from '../../../src/config/resolve.ts'
import { pageAddress } from '../../../src/core/api/pages.ts'
import { Refused } from '../../../src/core/api/problem.ts'
import type { Reports } from '../../../src/core/api/report.ts'
import { UsageError } from '../../../src/core/errors.ts'
import type { Span } from '../../../src/core/time.ts'
import type { Video } from '../../../src/core/video.ts'
import { vtt } from '../../../src/core/words/export-formats.ts'
import type { StoredRun } from '../../../src/store/run/run-folder.ts'
import { lane } from '../work/jobs/lane.ts'
import { openProfiles, type ProfileParts } from '../work/profiles.ts'
import { requireVideo } from '../work/videos/find-video.ts'
import { openPlayback, type Playback, type Source } from '../work/videos/playback.ts'
import { readIndex, type ServedRuntime, stillAt } from '../work/videos/video-view.ts'
import { openWorkplace, type WorkplaceOptions } from '../work/workplace.ts'
import { clusterDoor } from './cluster-view.ts'
import { keyCheck } from './guard.ts'
import { handlers, livePath, mediaPath } from './handlers.ts'
import { appListener, closeServers, guarded, type ListenAddress, listen } from './listen.ts'
import type { McpDoor } from './mcp/http.ts'
import { fileReply, openSource, sourceReply } from './media.ts'
import { eventReply, mount, notFound, problemReply, type Serves } from './mount.ts'
import { modelEndpoint } from './openai/endpoint.ts'
import type { ModelParts } from './openai/parts.ts'
import { mountPage } from './page-files.ts'
import { reportPage, reportPath } from './report-page.ts'
import { signer } from './sign.ts'

interface Credentials {
  token(): Promise<string> // asked for once no other server has the data folder
  key?: string // that programs may send in place of the token
}

interface ServeOptions extends ListenAddress, Omit<WorkplaceOptions, 'alone'> {
  config: ResolvedConfig
  version: string
  page: string // the folder of the built page
  credentials: Credentials
  runs(): Promise<StoredRun[]> // the newest first
  reports: Reports // of evaluations, of which the server knows nothing
  profiles: Pick<ProfileParts, 'started' | 'open' | 'restart'>
  say(line: string): void
}

export interface RunningServer {
  url: string // "http://127.0.0.1:4747"
  token: string
  close(): Promise<void>
}

// Serves the API until it is closed.
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { runtime, config, home, environment, program, version, runs, reports, credentials, say } = options
  const workplace = await openWorkplace({ runtime, home, environment, program, folders: options.folders, alone: true })
  const { served, jobs } = workplace
  const token = await credentials.token()
  const { key } = credentials
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
  const isBusy = () => jobs.isBusy()
  const profiles = openProfiles({ ...options.profiles, config, runtime, hasKey: key !== undefined, isBusy })
  const parts = { place: workplace, profiles, config, version, signer: signs, runs, reports, cluster }
  const deps = { ...parts, api: () => `${url}/api` }
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
    const last = context.req.header('last-event-id') ?? context.req.query('after')
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

interface PlaybackDoors {
  served: ServedRuntime
  playback: Playback
  signedVideo(id: string, signature: string): Promise<Video> // throws where the signature is not of this video
}

const cacheHeader = { 'cache-control': 'private, max-age=600' }
const longestClip = 600 // seconds

// What players load besides the file itself: the pieces of HLS, captions and clips.
function mountPlayback(app: Hono<Serves>, { served, playback, signedVideo }: PlaybackDoors): void {
  const base = '/media/:signature/:video'
  // Of the index, or from the file if there is none.
  const keptStill = async (video: Video, second: number, signal: AbortSignal) =>
    readIndex(served, video, index => stillAt(index, second)).catch(async error => {
      if (!(error instanceof Refused) || error.code !== 'conflict') throw error
      return { jpeg: await playback.still(await lookAt(video), second, signal), time: undefined }
    })
  const findVideo = (context: Context<Serves, `${typeof base}/x`>) =>
    signedVideo(context.req.param('video'), context.req.param('signature'))

  app.get(`${base}/hls/index.m3u8`, async context => {
    const list = playback.playlist(await findVideo(context))
    return context.body(list, 200, { 'content-type': 'application/vnd.apple.mpegurl' })
  })
  app.get(`${base}/hls/init.mp4`, async context => {
    const source = await lookAt(await findVideo(context))
    const bytes = await playback.head(source, context.req.raw.signal)
    return context.body(new Uint8Array(bytes), 200, { 'content-type': 'video/mp4', ...cacheHeader })
  })
  app.get(`${base}/hls/:name{\\d+\\.m4s}`, async context => {
    const source = await lookAt(await findVideo(context))
    const [, n] = /^(0|[1-9]\d{0,6})\.m4s$/.exec(context.req.param('name')) ?? notFound()
    const bytes = await playback.piece(source, Number(n), context.req.raw.signal)
    return context.body(new Uint8Array(bytes ?? notFound()), 200, { 'content-type': 'video/mp4', ...cacheHeader })
  })
  app.get(`${base}/still/:name`, async context => {
    const video = await findVideo(context)
    const [, second] = /^(\d{1,7}(?:\.\d{1,6})?)\.jpg$/.exec(context.req.param('name')) ?? notFound()
    const { jpeg, time } = await keptStill(video, Number(second), context.req.raw.signal)
    const timeHeader: Record<string, string> = time === undefined ? {} : { 'longtake-time': String(time) }
    return context.body(new Uint8Array(jpeg), 200, { 'content-type': 'image/jpeg', ...timeHeader, ...cacheHeader })
  })
  app.get(`${base}/captions.vtt`, async context => {
    const text = await readIndex(served, await findVideo(context), index => vtt(index.evidence({ tracks: ['speech'] })))
    return context.body(text, 200, { 'content-type': 'text/vtt; charset=utf-8' })
  })
  app.get(`${base}/clip.mp4`, async context => {
    const source = await lookAt(await findVideo(context))
    const span = clipSpan(context.req.query(), source.video.duration)
    const file = await open(await playback.clip(source, span, context.req.raw.signal))
    const { size: bytes } = await file.stat()
    return fileReply({ file, bytes, type: 'video/mp4' }, context.req.method, context.req.header('range'))
  })
}

// The file must be the one that was probed, as for its own bytes.
async function lookAt(video: Video): Promise<Source> {
  await using file = await openSource(video)
  const { mtimeNs, ctimeNs } = await file.stat({ bigint: true })
  return { video, version: `${mtimeNs} ${ctimeNs}` }
}

function clipSpan({ from, to }: Record<string, string>, duration: number): Span {
  const [start, end] = [from, to].map(text => (/^\d{1,7}(\.\d{1,6})?$/.test(text ?? '') ? Number(text) : Number.NaN))
  if (start === undefined || end === undefined || !(start < end))
    throw new UsageError('A clip needs ?from and to in seconds, from before to.')
  if (start >= duration) throw new UsageError(`The video ends at ${duration} s.`)
  if (end - start > longestClip) throw new UsageError(`A clip may have ${longestClip} seconds at most.`)
  return { start, end: Math.min(end, duration) }
}
