import { createHash } from 'node:crypto'
import { InterruptedError } from '../../../src/core/errors.ts'
import { addRequest, countRequest, findRequest } from '../data/catalogue/requests.ts'
import type { Sql } from '../data/sql.ts'
import { type Priority, priorities } from '../jobs/plan-video.ts'

// A run as one of the requests that `cluster status` shows and `cluster cancel` ends.
export function runRequestId(run: string): string {
  const hex = createHash('sha256').update(`bench\n${run}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}

// Opens it, also again after it was done or cancelled.
export async function openRequest(
  sql: Sql,
  run: string,
  { by, total, done, priority }: { by: string; total: number; done: number; priority: Priority },
): Promise<void> {
  const id = runRequestId(run)
  await addRequest(sql, { id, kind: 'bench', config: run, priority: priorities[priority], by, total })
  await sql.query("update longtake.request set state = 'open', ended = null, done = $2, total = $3 where id = $1", [
    id,
    done,
    total,
  ])
}

// How much there is to do by now. A run that was cancelled stays so.
export async function resizeRun(
  sql: Sql,
  run: string,
  { total, done }: { total: number; done: number },
): Promise<void> {
  const resize = "update longtake.request set done = $2, total = $3 where id = $1 and state = 'open'"
  await sql.query(resize, [runRequestId(run), done, total])
}

export async function closeRun(sql: Sql, run: string, done: number, failed: number): Promise<void> {
  await countRequest(sql, runRequestId(run), done, failed > 0 ? 'partial' : 'done')
  await sql.query("update longtake.run set state = 'done' where id = $1", [run])
}

// Says how far the run is; one that was cancelled ends with whoever waits for it.
export async function reportRun(sql: Sql, run: string, done: number): Promise<void> {
  const id = runRequestId(run)
  await countRequest(sql, id, done)
  if ((await findRequest(sql, id))?.state === 'cancelled')
    throw new InterruptedError(`The run ${run} was cancelled.`, { hint: '--resume continues it.' })
}
