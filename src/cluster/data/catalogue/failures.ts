import type { Sql } from '../sql.ts'
import { rowsOf } from './rows.ts'

// What could not be made, for good: nobody tries it again until somebody asks for that.
export interface Failure {
  video: string
  stage: string
  key: string
  kind: string // of the error, or "poison"
  message: string
  attempts: number
  at: Date
}

export async function addFailure(sql: Sql, failure: Omit<Failure, 'at'>): Promise<void> {
  const { video, stage, key, kind, message, attempts } = failure
  await sql.query(
    `insert into longtake.failure (video, stage, key, kind, message, attempts) values ($1, $2, $3, $4, $5, $6)
     on conflict (video, stage, key) do update set kind = excluded.kind, message = excluded.message,
       attempts = excluded.attempts, at = now()`,
    [video, stage, key, kind, message, attempts],
  )
}

export async function failuresOf(sql: Sql, video: string): Promise<Failure[]> {
  return rowsOf<Failure>(sql, `${select} where video = $1 order by at`, [video])
}

export async function allFailures(sql: Sql): Promise<(Failure & { name?: string })[]> {
  const rows = await rowsOf<Failure & { name?: string }>(
    sql,
    `select failure.video, failure.stage, failure.key, failure.kind, failure.message, failure.attempts, failure.at,
       video.name
     from longtake.failure left join longtake.video on video.id = failure.video order by failure.at`,
  )
  return rows
}

// Who asks for these videos again wants them tried again.
export async function forgiveVideos(sql: Sql, videos: readonly string[]): Promise<void> {
  await sql.query('delete from longtake.failure where video = any ($1)', [videos])
  await forgiveAttempts(sql, videos)
}

async function forgiveAttempts(sql: Sql, videos: readonly string[]): Promise<void> {
  await sql.query(
    `update longtake.attempt set kind = 'forgiven' where video = any ($1) and kind in ('failed', 'crashed', 'lost', 'retry')`,
    [videos],
  )
}

// They are forgotten, with what counted against their jobs, and the requests that ended with them are open again.
export async function forgiveFailures(sql: Sql): Promise<Failure[]> {
  const { rows } = await sql.query<Failure>(`delete from longtake.failure returning ${columns}`)
  const videos = [...new Set(rows.map(row => row.video))]
  await forgiveAttempts(sql, videos)
  await sql.query(
    `update longtake.request set state = 'open', ended = null where state = 'partial'
     and id in (select request from longtake.want where video = any ($1) and want.state = 'failed')`,
    [videos],
  )
  await sql.query(
    `update longtake.want set state = 'planned', note = null where video = any ($1) and state = 'failed'`,
    [videos],
  )
  return rows
}

const columns = 'video, stage, key, kind, message, attempts, at'
const select = `select ${columns} from longtake.failure`
