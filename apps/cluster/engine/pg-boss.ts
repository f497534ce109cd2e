import type { PgBoss } from 'pg-boss'
import { groupBy } from '../../../src/core/basics/group-by.ts'
import { errorText, UsageError } from '../../../src/core/errors.ts'
import { JobData } from '../data/job.ts'
import type { Database, Sql } from '../data/sql.ts'
import type { ClaimedJob, Engine, NewJob, QueueCount, SettledJob } from './engine.ts'
import * as own from './engine-sql.ts'

export interface EngineOptions {
  heartbeat?: number // seconds without a touch after which a job is someone else's
  monitor?: number // seconds between two looks for such jobs
  watches?: boolean // look for them at all: workers do
  installs?: boolean // make or renew the engine's own tables
  warn?: (line: string) => void
}

// Jobs that were lost this often end here, with their data; only a backstop: attempts are counted by the catalogue.
const deadLetters = 'dead-letter'
const retryLimit = 20
const day = 86_400

export async function openPgBoss(database: Database, options: EngineOptions = {}): Promise<Engine> {
  const { heartbeat = 60, monitor = 15, watches = false, installs = false, warn = () => {} } = options
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    db: adapter(database),
    schema: 'pgboss',
    migrate: installs,
    createSchema: installs,
    supervise: watches,
    superviseIntervalSeconds: monitor,
    monitorIntervalSeconds: monitor,
    maintenanceIntervalSeconds: 3600,
    flowIntervalSeconds: 3600,
    monitorVacuum: false,
    schedule: false,
  })
  boss.on('error', error => warn(errorText(error)))
  const settings = {
    policy: 'standard' as const,
    retryLimit,
    retryDelay: 0,
    expireInSeconds: day,
    heartbeatSeconds: heartbeat,
    deleteAfterSeconds: day,
    retentionSeconds: 365 * day,
  }

  const queue = async (name: string) => {
    const { rows } = await database.query('select 1 from pgboss.queue where name = $1', [deadLetters])
    if (rows.length === 0) await boss.createQueue(deadLetters, { policy: 'standard', retryLimit: 0 })
    await boss.createQueue(name, { ...settings, deadLetter: deadLetters })
  }

  // Its tables may have been dropped and made again while this process lived.
  const queues = async (names: readonly string[], sql: Sql) => {
    const { rows } = await sql.query<{ name: string }>('select name from pgboss.queue where name = any ($1)', [names])
    const there = new Set(rows.map(row => row.name))
    for (const name of names) if (!there.has(name)) await queue(name)
  }

  return {
    async start() {
      try {
        await boss.start()
      } catch (error) {
        if (!/not installed|migrat|version/i.test(errorText(error))) throw error
        throw new UsageError('The database of the cluster has no tables of the queue, or those of another version.', {
          cause: error,
          hint: 'Run: longtake cluster init',
        })
      }
    },
    queue,
    async send(jobs, sql = database) {
      const byQueue = groupBy(jobs, job => job.queue)
      await queues([...byQueue.keys()], sql)
      const sent: string[] = []
      for (const [name, some] of byQueue) sent.push(...(await sendTo(boss, name, some, sql)))
      if (sent.length > 0) await database.notify('jobs', sql)
      return sent
    },
    async fetch(names) {
      for (;;) {
        const { rows } = await database.query<{ name: string }>(own.firstQueue, [names])
        const name = rows[0]?.name
        if (name === undefined) return undefined
        const [row] = await boss.fetch(name) // none: somebody else was faster
        if (!row) continue
        const claimed = { id: row.id, queue: name, attempt: row.retryCount }
        const data = JobData.safeParse(row.data)
        if (data.success) return { ...claimed, data: data.data }
        await database.query(own.failForGood, [...fence(claimed), 'The job is not one of longtake.'])
      }
    },
    async touch(job) {
      return didChange(await boss.touch(job.queue, [{ id: job.id, retryCount: job.attempt }]))
    },
    settle: (job, outcome, sql = database) => settle(boss, job, outcome, sql),
    async cancel(ids, sql = database) {
      await sql.query(own.cancelAll, [ids])
      await database.notify('cancelled', sql)
    },
    async underWay(ids) {
      const { rows } = await database.query<{ id: string }>(own.unfinishedJobs, [ids])
      return new Set(rows.map(row => row.id))
    },
    async counts() {
      const { rows } = await database.query<QueueCount & { oldest: number | null }>(own.countAll, [deadLetters])
      return rows.map(({ oldest, ...row }) => ({ ...row, ...(oldest !== null && { oldest: Math.max(0, oldest) }) }))
    },
    stop: () => boss.stop({ close: false, graceful: false }),
  }
}

async function sendTo(boss: PgBoss, name: string, jobs: readonly NewJob[], sql: Sql): Promise<string[]> {
  const [ids, priorities, data] = [jobs.map(job => job.id), jobs.map(job => job.priority), jobs.map(job => job.data)]
  const revived = await sql.query<{ id: string }>(own.revive, [name, ids, priorities, retryLimit, data])
  await sql.query(own.hurry, [name, ids, priorities])
  const jobRows = jobs.map(({ id, priority, data }) => ({ id, priority, data }))
  const inserted = await boss.insert(name, jobRows, { db: adapter(sql), returnId: true })
  return [...revived.rows.map(row => row.id), ...(inserted ?? [])]
}

// Saying the same twice is as saying it once: the answer to the first may have been lost with its connection.
async function settle(boss: PgBoss, job: ClaimedJob, outcome: SettledJob, sql: Sql): Promise<boolean> {
  if (outcome.state === 'completed') {
    const attempt = { id: job.id, retryCount: job.attempt }
    const isCompleted = didChange(await boss.complete(job.queue, [attempt], undefined, { db: adapter(sql) }))
    return isCompleted || changed(sql, own.completedBy, fence(job))
  }
  if (outcome.state === 'failed') return changed(sql, own.failForGood, [...fence(job), outcome.message])
  if (outcome.state === 'retry') return changed(sql, own.retryLater, [...fence(job), outcome.after])
  return changed(sql, own.giveBack, [...fence(job), outcome.after ?? 0])
}

async function changed(sql: Sql, text: string, values: unknown[]): Promise<boolean> {
  const { rows } = await sql.query(text, values)
  return rows.length > 0
}

// Its types leave out what it documents.
function didChange(response: object): boolean {
  return 'affected' in response && Number(response.affected) > 0
}

const fence = (job: Pick<ClaimedJob, 'id' | 'queue' | 'attempt'>) => [job.queue, job.id, job.attempt]

function adapter(sql: Sql) {
  return { executeSql: (text: string, values?: unknown[]) => sql.query(text, values) }
}
