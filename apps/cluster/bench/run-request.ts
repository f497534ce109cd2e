import { InterruptedError } from '../../../src/core/errors.ts'
import { addRequest, countRequest, findRequest } from '../data/catalogue/requests.ts'
import type { Sql } from '../data/sql.ts'
import { hashUuid, priorities } from '../jobs/plan-video.ts'

// A run as one of the requests that `cluster status` shows and `cluster cancel` ends.
export function runRequestId(run: string): string {
  return hashUuid(`bench\n${run}`)
}

interface RunSize {
  total: number
  done: number
}

// Opens it, also again after it was done or cancelled.
export async function openRequest(sql: Sql, run: string, { by, total, done }: RunSize & { by: string }): Promise<void> {
  const id = runRequestId(run)
  await addRequest(sql, { id, kind: 'bench', config: run, priority: priorities.normal, by, total })
  await sql.query("update longtake.request set state = 'open', ended = null where id = $1", [id])
  await resizeRun(sql, run, { total, done })
}

// How much there is to do by now. A run that was cancelled stays so.
export async function resizeRun(sql: Sql, run: string, { total, done }: RunSize): Promise<void> {
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
