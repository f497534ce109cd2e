import type { Sql } from '../sql.ts'
import { queryRows } from './rows.ts'

// How an attempt ended. Forgiven: somebody asked to try again, and it counts no more.
export type AttemptKind =
  | 'completed'
  | 'retry' // what went wrong may pass
  | 'failed' // for good
  | 'crashed' // its child died
  | 'lost' // with its worker
  | 'released' // given back: a drain, a full disk
  | 'cancelled'
  | 'late' // somebody else had the job by then
  | 'forgiven'

interface NewAttempt {
  job: string
  worker: string
  queue?: string
  video?: string
  stage?: string
}

// Returns its number. Whoever begins a job holds it alone: an earlier attempt that is still open was lost.
export async function beginAttempt(sql: Sql, { job, worker, queue, video, stage }: NewAttempt): Promise<number> {
  await sql.query(
    `update longtake.attempt set ended = now(), kind = 'lost', message = 'no sign of life' where job = $1 and ended is null`,
    [job],
  )
  const { rows } = await sql.query<{ n: number }>(
    `insert into longtake.attempt (job, n, worker, queue, video, stage)
     select $1, coalesce(max(n), 0) + 1, $2, $3, $4, $5 from longtake.attempt where job = $1 returning n`,
    [job, worker, queue, video, stage],
  )
  return rows[0]?.n ?? 1
}

export async function endAttempt(sql: Sql, job: string, n: number, kind: AttemptKind, message?: string): Promise<void> {
  await sql.query(
    `update longtake.attempt set ended = now(), kind = $3, message = $4 where job = $1 and n = $2
     and (ended is null or kind = 'lost')`,
    [job, n, kind, message],
  )
}

// How often a job ended in each way.
export async function attemptCounts(sql: Sql, job: string): Promise<Partial<Record<AttemptKind, number>>> {
  const { rows } = await sql.query<{ kind: AttemptKind; n: number }>(
    'select kind, count(*)::integer as n from longtake.attempt where job = $1 and kind is not null group by kind',
    [job],
  )
  return Object.fromEntries(rows.map(({ kind, n }) => [kind, n]))
}

// Ends what workers that are gone have left open.
export async function endLostAttempts(sql: Sql): Promise<number> {
  const { rowCount } = await sql.query(
    `update longtake.attempt set ended = now(), kind = 'lost', message = 'its worker is gone'
     where ended is null and not exists (
       select 1 from longtake.worker where worker.id = attempt.worker and worker.state <> 'gone'
     )`,
  )
  return rowCount
}

// How far a job is, while an attempt at it runs.
interface Progress {
  job: string
  worker: string
  text: string
  done?: number
  total?: number
}

export async function saveProgress(sql: Sql, { job, worker, text, done, total }: Progress): Promise<void> {
  await sql.query(
    `insert into longtake.progress (job, worker, text, done, total) values ($1, $2, $3, $4, $5)
     on conflict (job) do update set worker = excluded.worker, text = excluded.text, done = excluded.done,
       total = excluded.total, at = now()`,
    [job, worker, text, done, total],
  )
}

export async function removeProgress(sql: Sql, job: string): Promise<void> {
  await sql.query('delete from longtake.progress where job = $1', [job])
}

// How far the jobs are that run on some videos.
export function readStageProgress(sql: Sql, videos: readonly string[]) {
  return queryRows<Progress & { video: string; stage: string }>(
    sql,
    `select progress.job, progress.worker, progress.text, progress.done, progress.total, attempt.video, attempt.stage
     from longtake.progress join longtake.attempt on attempt.job = progress.job and attempt.ended is null
     where attempt.video = any ($1) order by attempt.video, attempt.stage`,
    [videos],
  )
}
