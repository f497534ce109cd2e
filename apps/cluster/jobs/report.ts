import { BackendError, InputError, type LongtakeError } from '../../../src/core/errors.ts'
import type { IndexReport, StageReport } from '../../../src/core/runtime.ts'
import type { SharedStages } from '../../../src/core/stage.ts'
import { isPartial, type Video } from '../../../src/core/video.ts'
import { storedStage } from '../../../src/core/words/stage-names.ts'
import { readIndexedVideo, type StageResults } from '../../../src/runtime/index/find-index.ts'
import { FrozenIndex, frozenVideo, planFrozen } from '../../../src/runtime/index/frozen-index.ts'
import { countRows } from '../../../src/runtime/index/stage-runner.ts'
import { findStage } from '../../../src/store/stage/stage.ts'
import { readFailures } from '../data/catalogue/failures.ts'
import type { Request } from '../data/catalogue/requests.ts'
import { findConfig, selectVideo } from '../data/catalogue/videos.ts'
import { parseRow } from '../data/parse-row.ts'
import type { Sql } from '../data/sql.ts'
import { findSubtitleResult, readKnownRows, toKnownStages } from './known-rows.ts'
import { planEitherWay } from './plan-video.ts'

interface ReportWork {
  sql: Sql
  request: Request
  video: Video
  folder: string // of the video in the library here
  shared: SharedStages
  profile: string
}

// What indexing on other machines has made, as the command reports what it makes itself. Of the results only those with rows are pulled.
export async function buildIndexReport({
  sql,
  request,
  video,
  folder,
  shared,
  profile,
}: ReportWork): Promise<IndexReport> {
  const frozen = parseRow(FrozenIndex, await findConfig(sql, request.config ?? ''), 'settings of an index')
  const knownRows = await readKnownRows(sql, video.id)
  const frozenProbe = frozenVideo((await selectVideo(sql, video.id))?.probe)
  const [plan = []] = await planFrozen(frozenProbe, frozen, findSubtitleResult(knownRows))
  const { outcomes } = planEitherWay([plan], toKnownStages(knownRows))
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
    const { isNew, seconds, notes } = times.get(`${storedStage(stage)} ${key}`) ?? {
      isNew: false,
      seconds: 0,
      notes: [],
    }
    const items = stageResult ? await countRows(stageResult) : 0
    reports.push({ ...report, state: isNew ? 'done' : 'reused', seconds, items, note: notes.join('; ') || undefined })
  }
  const { coverage, overview } = await readIndexedVideo(video, stages, reports)
  const { created, ended = new Date() } = request
  const seconds = (ended.getTime() - created.getTime()) / 1000
  return { video, coverage, overview, stages: reports, seconds, profile, partial: isPartial(coverage) }
}

async function readStageTimes(sql: Sql, video: string, { created }: Request) {
  const { rows } = await sql.query<{ stage: string; key: string; new: boolean; seconds: number; notes: string[] }>(
    `select stage, key, at >= $2 as new, coalesce((meta ->> 'seconds')::float8, 0) as seconds, 
       case when json_typeof(meta -> 'notes') = 'array' then meta -> 'notes' end as notes
     from longtake.artifact where video = $1`,
    [video, created],
  )
  return new Map(
    rows.map(({ stage, key, new: isNew, seconds, notes }) => [
      `${stage} ${key}`,
      { isNew, seconds, notes: notes ?? [] },
    ]),
  )
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
