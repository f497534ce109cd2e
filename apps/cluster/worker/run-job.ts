import { randomBytes } from 'node:crypto'
import { placeText } from '../../../src/core/backend.ts'
import { linkSignals } from '../../../src/core/basics/signals.ts'
import { errorText } from '../../../src/core/errors.ts'
import { stageNamed } from '../../../src/core/words/stage-names.ts'
import { saveProgress } from '../data/catalogue/progress.ts'
import type { ClaimedJob } from '../engine/engine.ts'
import { isPoison, type JobFault, nextAfter } from '../jobs/retry.ts'
import type { SlotTask, TaskEnding } from '../task/messages.ts'
import { type Begun, type Books, beginJob, completeJob, endLate, failJob, loseInput, returnJob } from './settle-job.ts'
import type { Slot } from './slot.ts'
import { waitForDatabase } from './wait-for-database.ts'

// A job that is being done, as heartbeats and the drain see it.
interface Running {
  job: ClaimedJob
  stop(why: 'cancelled' | 'drained'): void
}

export interface JobRunner extends Books {
  alone<T>(work: () => Promise<T>): Promise<T>
  running: Set<Running>
  onStorageFault(message: string): void
  onRefused(queue: string, why: string): void
  say(line: string): void
  log(event: object): void
}

const refusedFor = 300 // seconds until a video that this machine cannot have is offered again
const progressEvery = 2000 // milliseconds

// One job from its first attempt here to what came of it.
export async function runJob(runner: JobRunner, slot: Slot, job: ClaimedJob): Promise<void> {
  const stopping = linkSignals()
  let why: 'cancelled' | 'drained' | undefined
  const running: Running = {
    job,
    stop(reason) {
      why ??= reason
      stopping.abort()
    },
  }
  runner.running.add(running)
  try {
    const begun = await beginJob(runner, job)
    const { n, before } = begun
    if (isPoison(before)) {
      const message = `${before.lost} workers were lost while they worked on it.`
      await waitForDatabase(() => failJob(runner, job, n, { kind: 'poison', message, attempts: n }))
      return
    }
    await attempt(runner, slot, job, begun, { careful: false, signal: stopping.signal, why: () => why })
  } finally {
    runner.running.delete(running)
    stopping.clear()
  }
}

interface How {
  careful: boolean
  signal: AbortSignal
  why(): 'cancelled' | 'drained' | undefined
}

async function attempt(runner: JobRunner, slot: Slot, job: ClaimedJob, begun: Begun, how: How): Promise<void> {
  const { n, before } = begun
  const attempt = randomBytes(4).toString('hex')
  const task = buildTask(job, begun, attempt, how.careful)
  const began = performance.now()
  const ending = await slot.run(task, progress(runner, job), how.signal).catch(notStarted)
  runner.log({ event: 'attempt', job: job.id, queue: job.queue, n, ended: ending.kind, seconds: since(began) })
  if (ending.kind === 'made') {
    const device = ending.ran?.map(placeText).join('; ') || undefined
    const isOurs = await waitForDatabase(() => completeJob(runner, job, n, { pushed: ending.pushed, attempt, device }))
    if (!isOurs) await waitForDatabase(() => endLate(runner, job, n, 'late'))
    return
  }
  if (ending.kind === 'stopped') {
    if (how.why() === 'cancelled') return waitForDatabase(() => endLate(runner, job, n, 'cancelled'))
    const why = { kind: 'released', message: 'the worker drains' } as const
    await waitForDatabase(() => returnJob(runner, job, n, { state: 'released' }, why))
    return
  }
  if (ending.kind === 'refused') {
    const { why, ofVideo } = ending
    if (!ofVideo) runner.onRefused(job.queue, why)
    const to = { state: 'released', after: ofVideo ? refusedFor : 0 } as const
    await waitForDatabase(() => returnJob(runner, job, n, to, { kind: 'released', message: `refused: ${why}` }))
    return
  }
  if (ending.kind === 'lost-input') return void (await waitForDatabase(() => loseInput(runner, job, n, ending)))
  const { fault, message } = readFault(ending)
  const next = nextAfter(fault, before)
  if (next.do === 'fail') {
    const failure = { kind: next.kind, message, attempts: n }
    if (!(await waitForDatabase(() => failJob(runner, job, n, failure))))
      await waitForDatabase(() => endLate(runner, job, n, 'late'))
  } else if (next.do === 'retry') {
    const to = { state: 'retry', after: next.after } as const
    await waitForDatabase(() => returnJob(runner, job, n, to, { kind: 'retry', message }))
  } else if (next.do === 'give back') {
    runner.onStorageFault(message)
    await waitForDatabase(() => returnJob(runner, job, n, { state: 'released' }, { kind: 'released', message }))
  } else await onceMoreAlone(runner, slot, job, n, message, how)
}

async function onceMoreAlone(runner: JobRunner, slot: Slot, job: ClaimedJob, n: number, message: string, how: How) {
  runner.say(`${jobName(job)}: ${message}. It is retried once, with nothing beside it.`)
  await waitForDatabase(() =>
    runner.database.query(
      "update longtake.attempt set ended = now(), kind = 'crashed', message = $3 where job = $1 and n = $2",
      [job.id, n, message],
    ),
  )
  await runner.alone(async () => {
    if (how.signal.aborted) return void (await waitForDatabase(() => runner.engine.settle(job, { state: 'released' })))
    await attempt(runner, slot, job, await waitForDatabase(() => beginJob(runner, job)), { ...how, careful: true })
  })
}

function buildTask({ data }: ClaimedJob, { context }: Begun, attempt: string, careful: boolean): SlotTask {
  if (data.kind !== 'stage') return { kind: 'other', job: data, attempt }
  if (!context) throw new Error('A stage without its video.')
  return { kind: 'stage', job: data, attempt, ...context, careful }
}

// A machine that can start no process has nothing to say about the job.
function notStarted(error: unknown): TaskEnding {
  return { kind: 'failed', as: 'storage', message: shortError(error) }
}

function readFault(ending: Extract<TaskEnding, { kind: 'failed' | 'crashed' }>): { fault: JobFault; message: string } {
  if (ending.kind === 'failed') return { fault: ending.as, message: ending.message }
  return { fault: 'crash', message: `the process of the slot ${ending.how}` }
}

// Rows that others read, seldom enough to cost nothing.
function progress({ database, worker }: JobRunner, job: ClaimedJob) {
  let last = Number.NEGATIVE_INFINITY
  return ({ text, done, total }: { text: string; done: number; total: number }) => {
    const now = performance.now()
    if (now - last < progressEvery) return
    last = now
    saveProgress(database, { job: job.id, worker, text, done, total }).catch(() => {}) // the next one says more
  }
}

export function jobName({ data }: Pick<ClaimedJob, 'data'>): string {
  if (data.kind === 'stage') return `${stageNamed(data.stage)} of ${data.video}`
  if (data.kind === 'library') return `library of ${data.video}`
  return data.kind === 'make' ? `step ${data.step} of ${data.run}` : `shard ${data.shard} of ${data.run}`
}

function since(began: number): number {
  return Math.round(performance.now() - began) / 1000
}

export function shortError(error: unknown): string {
  return errorText(error).split('\n')[0] ?? ''
}
