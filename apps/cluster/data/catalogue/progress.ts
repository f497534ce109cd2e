import type { Sql } from '../sql.ts'
import { queryRows } from './rows.ts'

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
