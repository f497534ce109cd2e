import type { Evidence } from '../../../src/core/evidence.ts'
import type { StageReport } from '../../../src/core/runtime.ts'
import type { SharedStages } from '../../../src/core/stage.ts'
import type { Video } from '../../../src/core/video.ts'
import { type IndexedVideo, readIndexedVideo, type StageResults } from '../../../src/runtime/index/find-index.ts'
import { FrozenIndex } from '../../../src/runtime/index/frozen-index.ts'
import { libraryRows } from '../../../src/runtime/index/library-rows.ts'
import type { Planned } from '../../../src/runtime/index/plan-stages.ts'
import type { Models } from '../../../src/runtime/models/models.ts'
import { letterShape } from '../../../src/search/near-words.ts'
import type { RowTerms } from '../../../src/search/text-index.ts'
import { findStage } from '../../../src/store/stage/stage.ts'
import { phoneticCode } from '../../../src/text/word-similarity.ts'
import { findConfig } from '../data/catalogue/videos.ts'
import type { LibraryJob } from '../data/job.ts'
import { parseRow } from '../data/parse-row.ts'
import type { Database, Sql } from '../data/sql.ts'
import { planFromRows, readVideoRows } from '../jobs/plan-from-rows.ts'
import type { VideoPlan } from '../jobs/plan-video.ts'
import type { TaskEnding } from '../task/messages.ts'
import type { Workshop } from '../task/run-stage.ts'
import { isRepeated, timesLexeme } from './lexemes.ts'
import { encoderVersion } from './picture-query.ts'
import { fillShots, removeShots, type ShotVectors } from './shot-table.ts'

type Shop = Pick<Workshop, 'library' | 'models' | 'shared'>

// Puts one video into the tables, from the results that make up its index.
export async function runLibrary(
  database: Database,
  job: LibraryJob,
  attempt: string,
  shop: Shop,
): Promise<TaskEnding> {
  const frozen = parseRow(FrozenIndex, await findConfig(database, job.config), 'settings of an index')
  const models = await shop.models(frozen, false)
  const { video, plan, outcomes, state } = await planFromRows(await readVideoRows(database, job.video), frozen, models)
  if (state !== 'done') return { kind: 'made' } // something of it is made again: whoever ends that asks for the tables anew
  const shared = await shop.shared(video, attempt)
  const results = await findResults(plan, outcomes, shop.library.videoFolder(job.video), shared)
  if ('lost' in results) return { kind: 'lost-input', ...results.lost }
  await fillFromIndex(database, await readIndexedVideo(video, results.stages, results.reports), models, job.config)
  return { kind: 'made' }
}

interface Results {
  stages: StageResults
  reports: StageReport[]
}

async function findResults(
  plan: readonly Planned[],
  outcomes: VideoPlan['outcomes'],
  folder: string,
  shared: SharedStages,
): Promise<Results | { lost: { stage: string; key: string } }> {
  const stages: StageResults = {}
  const reports: StageReport[] = []
  for (const planned of plan) {
    const { stage, how } = planned
    const { state, key = '' } = outcomes[stage] ?? {}
    if (state !== 'done' || planned.skip !== undefined || !(how.rows || needed.has(stage))) continue
    const stageFolder = await findStage(folder, stage, key, undefined, shared)
    if (!stageFolder) return { lost: { stage, key } }
    stages[stage] = stageFolder
    reports.push({ stage, by: planned.by, key, state: 'reused', started: 0, seconds: 0, items: 0 })
  }
  return { stages, reports }
}

// Beside those with rows: the words of each row, and the shots and stills with their vectors.
const needed = new Set(['overview', 'full-text', 'decode', 'vectors'])

// Puts a finished index into the tables of the cluster: what a LibraryJob does.
export async function fillFromIndex(
  database: Pick<Database, 'transaction'>,
  indexed: IndexedVideo,
  models: Models,
  config?: string,
): Promise<void> {
  const { pictures, ...rows } = await libraryRows(indexed)
  const shots = pictures && { ...pictures, version: await encoderVersion(models) }
  await fillVideo(database, { ...rows, ...(shots && { shots }), ...(config !== undefined && { config }) })
}

// All that the tables hold of one video.
interface VideoRows {
  video: Video
  rows: readonly Evidence[]
  terms: readonly RowTerms[] // of the rows, as the text index of the video has them
  shots?: ShotVectors
  config?: string // hash of the settings that made its index
}

// Puts a video into the tables, in place of what they held of it. Twice does as much as once.
export async function fillVideo(database: Pick<Database, 'transaction'>, given: VideoRows): Promise<void> {
  const { video, rows, terms, shots, config } = given
  const byId = new Map(rows.map(row => [row.id, row]))
  const lines = terms.flatMap(({ id, terms, damping }) => {
    const row = byId.get(id)
    return row ? [asLine(row, terms, damping)] : []
  })
  await database.transaction(async sql => {
    await emptyVideo(sql, video.id)
    for (let at = 0; at < lines.length; at += batch)
      await sql.query(insertLines, [video.id, JSON.stringify(lines.slice(at, at + batch))])
    await sql.query(addWords, [JSON.stringify(collectWords(lines))])
    const space = shots && (await fillShots(sql, video.id, shots))
    await sql.query(
      'insert into longtake.filled (video, name, probe, lines, space, config) values ($1, $2, $3, $4, $5, $6)',
      [
        video.id,
        withoutZero(video.name),
        withoutZero(JSON.stringify(video)),
        lines.length,
        space ?? null,
        config ?? null,
      ],
    )
  })
}

// Takes a video out of the tables. Two videos at once would add to the same words in different orders, and wait for each other for ever.
export async function emptyVideo(sql: Sql, video: string): Promise<void> {
  await sql.query("select pg_advisory_xact_lock(hashtext('longtake library'))")
  await sql.query(
    `with gone as (delete from longtake.line where video = $1 returning ts),
      counts as (select term, count(*) as lines from gone, unnest(tsvector_to_array(ts)) term group by term)
    update longtake.word set lines = word.lines - counts.lines from counts where word.word = counts.term`,
    [video],
  )
  await sql.query('delete from longtake.word where lines <= 0')
  await removeShots(sql, video)
  await sql.query('delete from longtake.filled where video = $1', [video])
}

const batch = 2000 // lines

const insertLines = `
  insert into longtake.line (video, "row", track, start, stop, text, ts, damping, by, speaker, frame)
  select $1, r.id, r.track, r.start, r.stop, r.text,
    array_to_tsvector(array(select json_array_elements_text(r.terms))), r.damping, r.by, r.speaker, r.frame
  from json_to_recordset($2::json) as r(
    id text, track text, start float8, stop float8, text text, terms json, damping real, by text, speaker text, frame float8
  )
  on conflict do nothing`

const addWords = `
  insert into longtake.word (word, lines, sound, shape)
  select r.word, r.lines, r.sound, r.shape from json_to_recordset($1::json) as r(word text, lines integer, sound text, shape text)
  order by r.word
  on conflict (word) do update set lines = word.lines + excluded.lines`

interface Line {
  id: string
  track: string
  start: number
  stop: number
  text: string
  terms: string[]
  damping: number
  by: string
  speaker?: string
  frame?: number
}

function asLine(
  { id, track, span, text, by, speaker, frame }: Evidence,
  terms: RowTerms['terms'],
  damping: number,
): Line {
  return {
    id,
    track,
    start: span.start,
    stop: span.end,
    text: withoutZero(text),
    damping,
    by,
    terms: [...terms].flatMap(([term, count]) => (isTerm(term) ? countedLexemes(term, count) : [])),
    ...(speaker !== undefined && { speaker: withoutZero(speaker) }),
    ...(frame !== undefined && { frame }),
  }
}

// How often a line holds a word counts for its rank. Without positions, which nothing else needs, a second and a third time are lexemes
// of their own.
function countedLexemes(term: string, count: number): string[] {
  return [term, ...[2, 3].filter(times => count >= times).map(times => timesLexeme(term, times))]
}

function isTerm(term: string): boolean {
  return term !== '' && !/[\0*]/.test(term) && Buffer.byteLength(term) <= longestTerm
}

const longestTerm = 2000 // bytes; PostgreSQL takes 2,046

// PostgreSQL knows no character zero, and recognised text may hold one.
function withoutZero(text: string): string {
  return text.replaceAll('\0', '').replaceAll('\\u0000', '')
}

function collectWords(lines: readonly Line[]) {
  const counts = new Map<string, number>()
  for (const { terms } of lines)
    for (const term of terms) if (!isRepeated(term)) counts.set(term, (counts.get(term) ?? 0) + 1)
  return [...counts].map(([word, lines]) => ({ word, lines, sound: phoneticCode(word), shape: letterShape(word) }))
}
