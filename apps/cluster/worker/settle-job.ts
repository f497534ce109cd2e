import { storedStage } from '../../../src/core/words/stage-names.ts'
import { addArtifact } from '../data/catalogue/artifacts.ts'
import {
  type AttemptKind,
  attemptCounts,
  beginAttempt,
  endAttempt,
  removeProgress,
} from '../data/catalogue/attempts.ts'
import { addFailure } from '../data/catalogue/failures.ts'
import { lockVideo } from '../data/catalogue/locks.ts'
import type { Database, Sql } from '../data/sql.ts'
import type { ClaimedJob, Engine, SettledJob } from '../engine/engine.ts'
import { advance } from '../jobs/advance.ts'
import { isPoison } from '../jobs/retry.ts'
import type { PushedStage } from '../store/shared-stages.ts'
import { waitForDatabase } from './wait-for-database.ts'

export interface Books {
  database: Database
  engine: Engine
  worker: string
}

export interface Begun {
  n: number
  before: Partial<Record<AttemptKind, number>>
}

// Writes down that an attempt begins; returns its number, and how those before it ended.
export function beginJob({ database, worker }: Books, job: ClaimedJob): Promise<Begun> {
  const { id, queue, data } = job
  return database.transaction(async sql => {
    const { video, stage } = resultPlace(job)
    const n = await beginAttempt(sql, { job: id, worker, queue, video, stage })
    const isRunning = "update longtake.want set state = 'running' where video = $1 and state = 'planned'"
    if (data.kind === 'stage') await sql.query(isRunning, [video])
    return { n, before: await attemptCounts(sql, id) }
  })
}

// What follows is written as soon as the database takes it. Result, successors and completion are one.
export function completeJob(
  books: Books,
  job: ClaimedJob,
  n: number,
  { pushed, attempt, device }: { pushed?: PushedStage; attempt: string; device?: string },
): Promise<void> {
  return settle(books, job, n, { state: 'completed' }, async sql => {
    const { data } = job
    if (data.kind === 'stage' && pushed) {
      const { video, stage, key } = data
      await addArtifact(sql, { video, stage, key, attempt, ...pushed, worker: books.worker, device })
    }
    await end(sql, job, n, 'completed')
  })
}

// Ends it for good: the failure is a row, and what goes without this stage is planned.
export function failJob(
  books: Books,
  job: ClaimedJob,
  n: number,
  { kind, message, attempts }: { kind: string; message: string; attempts: number },
): Promise<void> {
  return settle(books, job, n, { state: 'failed', message }, async sql => {
    await addFailure(sql, { ...resultPlace(job), kind, message, attempts })
    await end(sql, job, n, kind === 'poison' && isPoison(await attemptCounts(sql, job.id)) ? 'lost' : 'failed', message)
  })
}

// An input that has a row and lies nowhere: the row goes, and the planner begins with that input. This job comes again after it.
export function loseInput(books: Books, job: ClaimedJob, n: number, input: { stage: string; key: string }) {
  return settle(books, job, n, { state: 'completed' }, async sql => {
    const { data } = job
    if (data.kind === 'stage')
      await sql.query('delete from longtake.artifact where video = $1 and stage = $2 and key = $3', [
        data.video,
        storedStage(input.stage),
        input.key,
      ])
    await end(sql, job, n, 'released', `its input ${input.stage} (${input.key}) is lost`)
  })
}

// Gives it back, or has it tried again later.
export async function returnJob(
  { database, engine }: Books,
  job: ClaimedJob,
  n: number,
  to: Extract<SettledJob, { state: 'retry' | 'released' }>,
  message: string,
): Promise<void> {
  await waitForDatabase(() =>
    database.transaction(async sql => {
      await end(sql, job, n, to.state, message)
      await engine.settle(job, to, sql)
    }),
  )
}

// Of a job that is somebody else's by now only the attempt is ended.
export function endAttemptOnly({ database }: Books, job: ClaimedJob, n: number, kind: 'late' | 'cancelled') {
  return waitForDatabase(() => database.transaction(sql => end(sql, job, n, kind)))
}

class SomebodyElses extends Error {}

async function settle(
  books: Books,
  job: ClaimedJob,
  n: number,
  outcome: SettledJob,
  write: (sql: Sql) => Promise<void>,
): Promise<void> {
  const { database, engine } = books
  const video = job.data.kind === 'stage' ? job.data.video : undefined
  const transact = () =>
    database.transaction(async sql => {
      if (video) await lockVideo(sql, video)
      await write(sql)
      if (!(await engine.settle(job, outcome, sql))) throw new SomebodyElses()
      if (video) await advance(sql, engine, video)
    })
  await waitForDatabase(transact).catch(error => {
    if (error instanceof SomebodyElses) return endAttemptOnly(books, job, n, 'late')
    throw error
  })
}

async function end(sql: Sql, job: ClaimedJob, n: number, kind: AttemptKind, message?: string): Promise<void> {
  await endAttempt(sql, job.id, n, kind, message?.slice(0, 4000))
  await removeProgress(sql, job.id)
}

// Where its attempts and its failure are written down, and forgiven together: a shard, or a step of a making, stands below its run.
function resultPlace({ data }: ClaimedJob): { video: string; stage: string; key: string } {
  if (data.kind === 'stage') return data
  if (data.kind === 'library') return { video: data.video, stage: 'library', key: data.config }
  if (data.kind === 'make') return { video: data.run, stage: 'make', key: data.step }
  return { video: data.run, stage: 'ask', key: String(data.shard) }
}
