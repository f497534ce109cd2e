import { storedStage } from '../../../src/core/words/stage-names.ts'
import { addArtifact } from '../data/catalogue/artifacts.ts'
import { type AttemptKind, attemptCounts, beginAttempt, endAttempt } from '../data/catalogue/attempts.ts'
import { addFailure } from '../data/catalogue/failures.ts'
import { lockVideo } from '../data/catalogue/locks.ts'
import { removeProgress } from '../data/catalogue/progress.ts'
import { findConfig, selectVideo } from '../data/catalogue/videos.ts'
import type { Database, Sql } from '../data/sql.ts'
import type { ClaimedJob, Engine, SettledJob } from '../engine/engine.ts'
import { advance, type Follow } from '../jobs/advance.ts'
import { readKnownRows } from '../jobs/known-rows.ts'
import { isPoison } from '../jobs/retry.ts'
import type { Pushed, StageTask } from '../task/messages.ts'

export interface Books {
  database: Database
  engine: Engine
  worker: string
  follow?: Follow
}

export interface Begun {
  n: number
  before: Partial<Record<AttemptKind, number>>
  context?: Pick<StageTask, 'frozen' | 'video' | 'known'> // of a stage
}

// Writes down that an attempt begins, and reads what it needs to know.
export function beginJob({ database, worker }: Books, job: ClaimedJob): Promise<Begun> {
  const { id, queue, data } = job
  return database.transaction(async sql => {
    const { video, stage } = resultPlace(job)
    const n = await beginAttempt(sql, { job: id, worker, queue, video, stage })
    const before = await attemptCounts(sql, id)
    if (data.kind !== 'stage') return { n, before }
    const isRunning = "update longtake.want set state = 'running' where video = $1 and state = 'planned'"
    await sql.query(isRunning, [video])
    const frozen = await findConfig(sql, data.config)
    const probe = (await selectVideo(sql, video))?.probe
    return { n, before, context: { frozen, video: probe, known: await readKnownRows(sql, video) } }
  })
}

// Result, successors and completion are one. False: the job is somebody else's by now, and nothing has changed.
export function completeJob(
  books: Books,
  job: ClaimedJob,
  n: number,
  made: { pushed?: Pushed; attempt: string; device?: string },
): Promise<boolean> {
  return settled(books, job, { state: 'completed' }, async sql => {
    const { data } = job
    const { pushed, attempt, device } = made
    if (data.kind === 'stage' && pushed) {
      const { video, stage, key } = data
      const row = { object: pushed.object, bytes: pushed.bytes, sha256: pushed.sha256, meta: pushed.meta }
      await addArtifact(sql, { video, stage, key, attempt, ...row, worker: books.worker, device })
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
): Promise<boolean> {
  return settled(books, job, { state: 'failed', message }, async sql => {
    await addFailure(sql, { ...resultPlace(job), kind, message, attempts })
    await end(sql, job, n, kind === 'poison' && isPoison(await attemptCounts(sql, job.id)) ? 'lost' : 'failed', message)
  })
}

// Gives it back, or has it tried again later.
export function returnJob(
  books: Books,
  job: ClaimedJob,
  n: number,
  to: Extract<SettledJob, { state: 'retry' | 'released' }>,
  why: { kind: AttemptKind; message?: string },
): Promise<boolean> {
  return books.database.transaction(async sql => {
    await end(sql, job, n, why.kind, why.message)
    return books.engine.settle(job, to, sql)
  })
}

// An input that has a row and lies nowhere: the row goes, and the planner begins with that input. This job comes again after it.
export function loseInput(books: Books, job: ClaimedJob, n: number, input: { stage: string; key: string }) {
  return settled(books, job, { state: 'completed' }, async sql => {
    if (job.data.kind === 'stage')
      await sql.query('delete from longtake.artifact where video = $1 and stage = $2 and key = $3', [
        job.data.video,
        storedStage(input.stage),
        input.key,
      ])
    await end(sql, job, n, 'released', `its input ${input.stage} (${input.key}) is lost`)
  })
}

class SomebodyElses extends Error {}

async function settled(
  { database, engine, follow }: Books,
  job: ClaimedJob,
  outcome: SettledJob,
  write: (sql: Sql) => Promise<void>,
): Promise<boolean> {
  try {
    await database.transaction(async sql => {
      const video = job.data.kind === 'stage' ? job.data.video : undefined
      if (video) await lockVideo(sql, video)
      await write(sql)
      if (!(await engine.settle(job, outcome, sql))) throw new SomebodyElses()
      if (video) await advance(sql, engine, video, follow)
    })
    return true
  } catch (error) {
    if (error instanceof SomebodyElses) return false
    throw error
  }
}

async function end(sql: Sql, job: ClaimedJob, n: number, kind: AttemptKind, message?: string): Promise<void> {
  await endAttempt(sql, job.id, n, kind, message?.slice(0, 4000))
  await removeProgress(sql, job.id)
}

export async function endLate({ database }: Books, job: ClaimedJob, n: number, kind: 'late' | 'cancelled') {
  await database.transaction(sql => end(sql, job, n, kind))
}

// Where its attempts and its failure are written down, and forgiven together: a shard, or a step of a making, stands below its run.
function resultPlace({ data }: ClaimedJob): { video: string; stage: string; key: string } {
  if (data.kind === 'stage') return data
  if (data.kind === 'library') return { video: data.video, stage: 'library', key: data.config }
  if (data.kind === 'make') return { video: data.run, stage: 'make', key: data.step }
  return { video: data.run, stage: 'ask', key: String(data.shard) }
}
