import { BackendError, InputError, type LongtakeError } from '../../../src/core/errors.ts'
import type { IndexReport, StageReport } from '../../../src/core/runtime.ts'
import type { SharedStages } from '../../../src/core/stage.ts'
import { isPartial, type Video } from '../../../src/core/video.ts'
import { storedStage } from '../../../src/core/words/stage-names.ts'
import { readIndexedVideo, type StageResults } from '../../../src/runtime/index/find-index.ts'
import { FrozenIndex } from '../../../src/runtime/index/frozen-index.ts'
import { countRows } from '../../../src/runtime/index/stage-runner.ts'
import { findStage } from '../../../src/store/stage/stage.ts'
import { readFailures } from '../data/catalogue/failures.ts'
import { type Request, readWants } from '../data/catalogue/requests.ts'
import { findConfig, readVideoSources } from '../data/catalogue/videos.ts'
import { parseRow } from '../data/parse-row.ts'
import type { Sql } from '../data/sql.ts'
import { openPulledCache } from '../store/pulled-cache.ts'
import { sharedStages } from '../store/shared-stages.ts'
import { planFromRows, readFrozenVideo, readVideoRows } from './plan-from-rows.ts'
import type { Queueing } from './queue-videos.ts'
import { fileBelow } from './roots.ts'

type Outcome = { path: string; report: IndexReport } | { path: string; error: LongtakeError }

// One outcome a video of an ended request.
export async function requestOutcomes(request: Request, work: Queueing, profile: string): Promise<Outcome[]> {
  const { cluster, library, settings, signal, watch } = work
  const { database: sql, store } = cluster
  const cache = openPulledCache(library, settings.cluster.cache)
  const outcomes: Outcome[] = []
  for (const want of await readWants(sql, request.id)) {
    const video = await videoHere(sql, want.video, work)
    const { path } = video
    if (want.state !== 'done') {
      const note = want.note ?? (request.state === 'cancelled' ? 'The request was cancelled.' : undefined)
      outcomes.push({ path, error: await readVideoError(sql, want.video, note) })
      continue
    }
    const say = (text: string) => watch({ type: 'note', text })
    const shared = await sharedStages({ sql, store, cache, video, signal, say })
    try {
      const folder = library.videoFolder(video.id)
      outcomes.push({ path, report: await buildIndexReport({ sql, request, video, folder, shared, profile }) })
    } catch (error) {
      if (!(error instanceof BackendError)) throw error
      outcomes.push({ path, error })
    } finally {
      await shared.done()
    }
  }
  return outcomes
}

// As this machine knows it, or as it was asked for elsewhere.
async function videoHere(sql: Sql, id: string, { library, settings }: Queueing): Promise<Video> {
  const libraryVideo = await library.find(id)
  if (libraryVideo) return libraryVideo
  const { video } = await readFrozenVideo(sql, id)
  for (const source of await readVideoSources(sql, id)) {
    const path = 'object' in source ? undefined : await fileBelow(source, settings.cluster.roots)
    if (path) return { ...video, path }
  }
  return video
}

interface ReportWork {
  sql: Sql
  request: Request
  video: Video
  folder: string // of the video in the library here
  shared: SharedStages
  profile: string
}

// What indexing on other machines has made, as the command reports what it makes itself. Of the results only those with rows are pulled.
async function buildIndexReport(work: ReportWork): Promise<IndexReport> {
  const { sql, request, video, folder, shared, profile } = work
  const frozen = parseRow(FrozenIndex, await findConfig(sql, request.config ?? ''), 'settings of an index')
  const { plan, outcomes } = await planFromRows(await readVideoRows(sql, video.id), frozen)
  const times = await readStageTimes(sql, video.id, request)
  const stages: StageResults = {}
  const reports: StageReport[] = []
  for (const { stage, how, skip, ...planned } of plan) {
    const { state = 'skipped', key = '', note } = outcomes[stage] ?? {}
    const by = skip === undefined && 'by' in planned ? planned.by : ''
    const report = { stage, by, key, started: 0, seconds: 0, items: 0 }
    if (state !== 'done') {
      reports.push({ ...report, state, note })
      continue
    }
    const stageResult = how.rows ? await findStage(folder, stage, key, undefined, shared) : undefined
    if (how.rows && !stageResult)
      throw new BackendError(`The result of stage "${stage}" of ${video.name} was lost while it was read.`, {
        hint: 'Run the same command again: it is made again.',
      })
    if (stageResult) stages[stage] = stageResult
    const { isNew = false, seconds = 0, notes } = times.get(`${storedStage(stage)} ${key}`) ?? {}
    const items = stageResult ? await countRows(stageResult) : 0
    const noteText = notes?.join('; ') || undefined
    reports.push({ ...report, state: isNew ? 'done' : 'reused', seconds, items, note: noteText })
  }
  const { coverage, overview } = await readIndexedVideo(video, stages, reports)
  const { created, ended = new Date() } = request
  const seconds = (ended.getTime() - created.getTime()) / 1000
  return { video, coverage, overview, stages: reports, seconds, profile, partial: isPartial(coverage) }
}

interface StageTime {
  isNew: boolean // made since the request
  seconds: number
  notes: string[] | null
}

// By the stored name of the stage and its key.
async function readStageTimes(sql: Sql, video: string, { created }: Request): Promise<Map<string, StageTime>> {
  const { rows } = await sql.query<StageTime & { result: string }>(
    `select stage || ' ' || key as result, at >= $2 as "isNew", coalesce((meta ->> 'seconds')::float8, 0) as seconds,
       case when json_typeof(meta -> 'notes') = 'array' then meta -> 'notes' end as notes
     from longtake.artifact where video = $1`,
    [video, created],
  )
  return new Map(rows.map(row => [row.result, row]))
}

// Why a video has no index, as the error that one machine would have ended with.
export async function readVideoError(sql: Sql, video: string, note?: string, path?: string): Promise<LongtakeError> {
  const failures = await readFailures(sql, video)
  const worst = failures.find(({ kind }) => kind === 'input') ?? failures.at(-1)
  const why = note ?? worst?.message ?? 'It could not be indexed.'
  const message = path === undefined ? why : `${path}: ${why}`
  const hint = 'See "longtake cluster failures"; the same command tries again.'
  return worst?.kind === 'input' ? new InputError(message, { hint }) : new BackendError(message, { hint })
}
