import { z } from 'zod'
import type { Resource } from '../job.ts'
import type { Sql } from '../sql.ts'
import { queryRows } from './rows.ts'

type WorkerState = 'live' | 'draining' | 'gone'

export interface WorkerRow {
  id: string
  host: string
  version: string
  slots: Partial<Record<Resource, number>>
  queues: string[]
  state: WorkerState
  note?: string
  age: number // seconds since it was last seen
}

export async function addWorker(
  sql: Sql,
  { id, host, version, slots, queues, note }: Omit<WorkerRow, 'state' | 'age'>,
): Promise<void> {
  await sql.query(
    `insert into longtake.worker (id, host, version, slots, queues, note) values ($1, $2, $3, $4, $5, $6)
     on conflict (id) do update set host = excluded.host, version = excluded.version, slots = excluded.slots,
       queues = excluded.queues, note = excluded.note, seen = now(), state = 'live'`,
    [id, host, version, JSON.stringify(slots), queues, note],
  )
}

// A sign of life. Returns what the worker is to be: "draining" where somebody asked for it. `note` says why it does nothing.
export async function seeWorker(sql: Sql, id: string, note?: string): Promise<WorkerState | undefined> {
  const { rows } = await sql.query<{ state: WorkerState }>(
    `update longtake.worker set seen = now(), note = $2, state = case state when 'gone' then 'live' else state end
     where id = $1 returning state`,
    [id, note],
  )
  return rows[0]?.state
}

// Whether there is such a worker that lives.
export async function drainWorker(sql: Sql, id: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    `update longtake.worker set state = 'draining' where id = $1 and state <> 'gone'`,
    [id],
  )
  return rowCount > 0
}

export async function leaveWorker(sql: Sql, id: string): Promise<void> {
  await sql.query(`update longtake.worker set state = 'gone', seen = now(), note = null where id = $1`, [id])
}

// Those that were not seen for two minutes are gone; rows of a day ago are removed.
export async function sweepWorkers(sql: Sql): Promise<void> {
  await sql.query(
    `update longtake.worker set state = 'gone' where state <> 'gone' and seen < now() - interval '2 minutes'`,
  )
  await sql.query(`delete from longtake.worker where state = 'gone' and seen < now() - interval '1 day'`)
}

export async function workers(sql: Sql): Promise<WorkerRow[]> {
  const rows = await queryRows<WorkerRow>(
    sql,
    `select id, host, version, slots, queues, note, extract(epoch from now() - seen)::float8 as age,
       case when seen < now() - interval '2 minutes' then 'gone' else state end as state
     from longtake.worker where state <> 'gone' order by host, id`,
  )
  const live = rows.filter(row => row.state !== 'gone')
  return live.map(row => ({ ...row, ...WorkerClaims.parse(row) }))
}

// What a worker of another version, or a hostile one, says of itself.
const WorkerClaims = z.object({
  slots: z.partialRecord(z.enum(['cpu', 'gpu', 'net']), z.number().min(0)).catch({}),
  queues: z.array(z.string()).catch([]),
})
