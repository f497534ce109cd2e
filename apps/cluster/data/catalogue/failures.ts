import type { Sql } from '../sql.ts'
import { nameStages, queryRows } from './rows.ts'

// What could not be made, for good: nobody tries it again until somebody asks for that.
interface Failure {
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

export async function readFailures(sql: Sql, video: string): Promise<Failure[]> {
  return queryRows<Failure>(sql, `${select} where video = $1 order by at`, [video])
}

export async function allFailures(sql: Sql): Promise<(Failure & { name?: string })[]> {
  const rows = await queryRows<Failure & { name?: string }>(
    sql,
    `select failure.video, failure.stage, failure.key, failure.kind, failure.message, failure.attempts, failure.at,
       video.name
     from longtake.failure left join longtake.video on video.id = failure.video order by failure.at`,
  )
  return nameStages(rows)
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

// They are forgotten, with what counted against their jobs, and the last index of these videos is wanted again: a failed track may have
// left its request done. Returns the videos.
export async function forgiveFailures(sql: Sql): Promise<string[]> {
  const { rows } = await sql.query<{ video: string }>('delete from longtake.failure returning video')
  const videos = [...new Set(rows.map(row => row.video))].sort()
  await forgiveAttempts(sql, videos)
  const { rows: again } = await sql.query<{ request: string }>(
    `update longtake.want set state = 'planned', note = null
     from (
       select distinct on (want.video) want.request, want.video
       from longtake.want join longtake.request on request.id = want.request
       where want.video = any ($1) and request.kind = 'index' and request.state <> 'cancelled'
       order by want.video, request.created desc
     ) last
     where want.request = last.request and want.video = last.video returning want.request`,
    [videos],
  )
  await sql.query(
    `update longtake.request set state = 'open', ended = null,
       done = (select count(*) from longtake.want where request = id and want.state = 'done')
     where id = any ($1)`,
    [again.map(row => row.request)],
  )
  return videos
}

const columns = 'video, stage, key, kind, message, attempts, at'
const select = `select ${columns} from longtake.failure`
