import type { ResolvedConfig } from '../../../src/config/resolve.ts'
import { Refused } from '../../../src/core/api/problem.ts'
import type { Reports } from '../../../src/core/api/report.ts'
import type { Handlers, ServerEvent } from '../../../src/core/api/routes.ts'
import type { VideoEntry } from '../../../src/core/api/video.ts'
import { listAnswering } from '../../../src/runtime/answering.ts'
import { settingsDocument, shortRow } from '../../../src/runtime/documents.ts'
import { callOperation, listOperations } from '../../../src/runtime/operations/index.ts'
import { compareRecordedRuns } from '../../../src/runtime/runs/compare-runs.ts'
import { runCall, runDetails, runState, runTrace } from '../../../src/runtime/runs/run-view.ts'
import { forgetVideo } from '../../../src/store/library/cache.ts'
import type { StoredRun } from '../../../src/store/run/run-folder.ts'
import type { ChatSession } from '../../../src/store/sessions.ts'
import { checkQuery } from '../../../src/text/question/check-question.ts'
import { beginAsk, beginLibraryAsk } from '../work/jobs/begin-ask.ts'
import type { ProfileDesk } from '../work/profiles.ts'
import { addServedVideo } from '../work/videos/add-video.ts'
import { folderAt, pathInFolder, requireVideo } from '../work/videos/find-video.ts'
import { servedMemory } from '../work/videos/served-memory.ts'
import {
  findRow,
  listEntries,
  packLanes,
  readIndex,
  readRowPage,
  readRowsSoFar,
  replyToSearch,
  videoDetails,
  videoEntry,
} from '../work/videos/video-view.ts'
import type { Workplace } from '../work/workplace.ts'
import type { ClusterDoor } from './cluster-view.ts'
import { openApi } from './openapi.ts'
import { noReport, reportPath } from './report-page.ts'
import type { Signer } from './sign.ts'

interface ServerDeps {
  place: Workplace
  profiles: ProfileDesk
  config: ResolvedConfig
  version: string
  signer: Signer
  runs(): Promise<StoredRun[]>
  reports: Reports
  cluster: Pick<ClusterDoor, 'view'>
  api(): string // the address of the API
}

export const livePath = 'live'
export const mediaPath = (id: string) => `media ${id}`

const page = 100 // entries, or a few more
const questionsShown = 500
const together = 10 // videos that are looked at at the same time

const tokensOf = ({ usage }: StoredRun) => (usage ? usage.inputTokens + usage.outputTokens : 0)

// The newest first is how they come.
const runOrder: Partial<Record<string, (a: StoredRun, b: StoredRun) => number>> = {
  slowest: (a, b) => (b.usage?.seconds ?? 0) - (a.usage?.seconds ?? 0),
  dearest: (a, b) => tokensOf(b) - tokensOf(a),
  unsure: (a, b) => (a.outcome?.confidence ?? 2) - (b.outcome?.confidence ?? 2),
}

// What each route does: a line or two over src/runtime.
export function handlers({
  place,
  profiles,
  config,
  version,
  signer,
  runs,
  reports,
  cluster,
  api,
}: ServerDeps): Handlers {
  const { served, jobs, sessions, uploads, folders, home } = place
  const { runtime, open } = served
  const { library } = runtime
  const find = (id: string) => requireVideo(library, id)

  const withMedia = <Entry extends Omit<VideoEntry, 'media'>>(entry: Entry) => {
    const base = `/media/${signer.sign(mediaPath(entry.id))}/${entry.id}`
    const media = {
      source: `${base}/source`,
      still: `${base}/still/`,
      hls: `${base}/hls/index.m3u8`,
      captions: `${base}/captions.vtt`,
      clip: `${base}/clip.mp4`,
    }
    return { ...entry, media }
  }
  const session = async (name: string): Promise<ChatSession> => {
    const session = await sessions.find(name)
    if (session) return session
    throw new Refused('unknown', 'There is no session with this name.', 'GET /api/sessions lists them.')
  }

  return {
    health: () => ({ status: 'ok', version }),
    openapi: () => openApi(version, api()),
    doctor: ({ query }) => runtime.doctor({ depth: query.depth ?? 'look' }),
    settings: () => settingsDocument({ ...config, settings: runtime.settings }),
    async videos({ query: { q = '', state, cursor = '0' } }) {
      const named = (await library.list()).filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()))
      const videos: VideoEntry[] = []
      let at = Number(cursor)
      for (; at < named.length && videos.length < page; at += together) {
        const some = named.slice(at, at + together)
        const entries = await Promise.all(some.map(async video => withMedia(await videoEntry(served, video))))
        videos.push(...entries.filter(entry => state === undefined || entry.state === state))
      }
      return { videos, ...(at < named.length && { cursor: String(at) }) }
    },
    addVideo: async ({ body, signal }) =>
      withMedia(await videoDetails(served, await addServedVideo(place, body, signal))),
    async upload({ query: { name }, body, signal }) {
      const { id, ...kept } = await uploads.receive({ ...body, name }, signal)
      return { upload: id, name: kept.name, bytes: kept.bytes }
    },
    video: async ({ params }) => withMedia(await videoDetails(served, await find(params.video))),
    async forgetVideo({ params }) {
      const { id, name } = await find(params.video)
      const busy = new Refused('conflict', `${name} is in use.`, 'Wait for its jobs, or cancel them.')
      if (jobs.isBusy(id)) throw busy
      open.forget(id)
      const bytes = await forgetVideo(library, id)
      if (bytes === undefined) throw busy
      return { removed: id, bytes }
    },
    folders: () => ({ folders: [...folders] }),
    async folder({ params, query: { path = '' } }) {
      const folder = folderAt(folders, /^\d{1,4}$/.test(params.folder) ? Number(params.folder) : -1)
      return listEntries(served, folder, await pathInFolder(folders, path, folder.folder))
    },
    lanes: async ({ params }) => readIndex(served, await find(params.video), packLanes),
    async rows({ params, query }) {
      const video = await find(params.video)
      if (query.index === 'so-far') return readRowsSoFar(served, video, query)
      return readIndex(served, video, index => readRowPage(index, query))
    },
    row: async ({ params }) => readIndex(served, await find(params.video), index => findRow(index, params.row)),
    async search({ query: { q, video, ...query } }) {
      const searchQuery = { query: q, ...query }
      checkQuery(searchQuery)
      return replyToSearch(served, video === undefined ? undefined : await find(video), searchQuery)
    },
    tools: () => ({ tools: listOperations() }),
    async callTool({ params, body, signal }) {
      const reply = await callOperation(params.tool, body, servedMemory(place, signal))
      const { pictures, sound, ...told } = reply
      return { ...told, ...(pictures && { pictures: pictures.map(base64) }), ...(sound && { sound: base64(sound) }) }
    },
    index: async ({ params }) => begun(await jobs.index(await find(params.video))),
    async ask({ params, body: { question: text, options, until, ...wish } }) {
      const question = { text, ...(options && { options }), ...(until !== undefined && { until }) }
      return begun(await beginAsk(place, await find(params.video), { question, ...wish }))
    },
    async askLibrary({ body: { question: text, options, ...wish } }) {
      return begun(await beginLibraryAsk(place, { question: { text, ...(options && { options }) }, ...wish }))
    },
    answering: async () => ({ profiles: profiles.list(), ...(await listAnswering(runtime)) }),
    tryAnswering: async ({ body: { settings, profile }, signal }) =>
      profile === undefined
        ? { ...(await place.tryAnswering(settings, signal)), missing: [] }
        : profiles.try(profile, signal),
    async chooseProfile({ body: { profile } }) {
      await profiles.choose(profile)
      return { profile }
    },
    jobs: () => ({ jobs: jobs.list(), live: `/live/${signer.sign(livePath)}/events` }),
    cluster: () => cluster.view(),
    job: ({ params, query, signal }) => jobs.wait(params.job, query.wait ?? 0, signal),
    cancelJob: ({ params }) => jobs.cancel(params.job),
    jobEvents: ({ params, lastEventId, signal }) => jobs.events.follow(params.job, readLineNumber(lastEventId), signal),
    events: ({ lastEventId, signal }): AsyncIterable<ServerEvent> => jobs.events.followAll(lastEventId, signal),
    async runs({ query: { q = '', state, video, sort = 'newest', cursor = '0' } }) {
      const matches = (await runs()).filter(
        run =>
          run.name.toLowerCase().includes(q.toLowerCase()) &&
          (state === undefined || run.state === state) &&
          (video === undefined || run.video?.id === video),
      )
      const sorted = runOrder[sort] ? [...matches].sort(runOrder[sort]) : matches
      const end = Number(cursor) + page
      return { runs: sorted.slice(Number(cursor), end), ...(end < sorted.length && { cursor: String(end) }) }
    },
    run: ({ params }) => runDetails(home, params.run),
    trace: ({ params, query }) => runTrace(home, params.run, query.after),
    state: ({ params }) => runState(home, params.run, params.state),
    call: ({ params }) => runCall(home, params.run, params.call),
    resume: async ({ params }) => begun(await jobs.resume(params.run)),
    fork: async ({ params, body }) => begun(await jobs.fork(params.run, body.round, body.settings)),
    compare: ({ query }) => compareRecordedRuns(home, query.a, query.b),
    async reports({ query: { cursor = '0' } }) {
      const all = await reports.list()
      const end = Number(cursor) + page
      return { reports: all.slice(Number(cursor), end), ...(end < all.length && { cursor: String(end) }) }
    },
    async report({ params: { report }, query: { show, cursor = '0' } }) {
      const details = await reports.details(report, { show, first: Number(cursor), count: questionsShown })
      if (!details) throw noReport()
      const path = `/report/${signer.sign(reportPath(report))}/${report}.html`
      return { ...details, ...(details.done > 0 && { page: path }) }
    },
    async reportQuestion({ params: { report, question } }) {
      const details = await reports.question(report, question)
      if (!details) throw noReport()
      return details
    },
    async sessions() {
      const { sessions: all, damaged } = await sessions.list()
      return {
        ...(damaged.length > 0 && { damaged }),
        sessions: all.map(({ name, video, created, from, turns }) => {
          const last = turns.at(-1)
          const lastQuestion = last && (last.question.refers?.asked ?? last.question.text)
          return { name, video, created, from, turns: turns.length, used: last?.asked ?? created, last: lastQuestion }
        }),
      }
    },
    session: async ({ params }) => sessionView(await session(params.session)),
    async forgetSession({ params }) {
      const { name } = await session(params.session)
      await sessions.remove(name)
      return { removed: name }
    },
    async forkSession({ params, body: { at, as } }) {
      const { name } = await session(params.session)
      if (await sessions.find(as)) throw new Refused('conflict', 'There is a session with this name already.')
      return sessionView(await sessions.fork(name, at, as))
    },
  }
}

function begun({ id, state }: { id: string; state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' }) {
  return { job: id, state }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

function readLineNumber(lastEventId: string | undefined): number {
  return /^\d{1,9}$/.test(lastEventId ?? '') ? Number(lastEventId) : 0
}

function sessionView({ name, video, created, from, turns }: ChatSession) {
  const shortTurns = turns.map(({ evidence = [], ...turn }) => ({ ...turn, evidence: evidence.map(shortRow) }))
  return { name, video, created, from, turns: shortTurns }
}
