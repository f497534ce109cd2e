import { randomBytes } from 'node:crypto'
import { placeText } from '../../../src/core/backend.ts'
import { errorText } from '../../../src/core/errors.ts'
import { stageNamed } from '../../../src/core/words/stage-names.ts'
import { saveProgress } from '../data/catalogue/attempts.ts'
import type { ClaimedJob } from '../engine/engine.ts'
import { isPoison, nextAfter } from '../jobs/retry.ts'
import type { TaskEnding } from '../task/messages.ts'
import {
  type Begun,
  type Books,
  beginJob,
  completeJob,
  endAttemptOnly,
  failJob,
  loseInput,
  returnJob,
} from './settle-job.ts'
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
  const stopping = new AbortController() // its reason: why it is stopped
  const running: Running = { job, stop: why => stopping.abort(why) }
  runner.running.add(running)
  try {
    const begun = await beginJob(runner, job)
    const { n, before } = begun
    if (isPoison(before)) {
      const message = `${before.lost} workers were lost while they worked on it.`
      await failJob(runner, job, n, { kind: 'poison', message, attempts: n })
    } else await runAttempt(runner, slot, job, begun, { careful: false, signal: stopping.signal })
  } finally {
    runner.running.delete(running)
  }
}

interface How {
  careful: boolean
  signal: AbortSignal
}

async function runAttempt(runner: JobRunner, slot: Slot, job: ClaimedJob, { n, before }: Begun, how: How) {
  const { careful, signal } = how
  const task = { job: job.data, attempt: randomBytes(4).toString('hex'), careful }
  const began = performance.now()
  const ending = await slot.run(task, progress(runner, job), signal).catch(notStarted)
  runner.log({ event: 'attempt', job: job.id, queue: job.queue, n, ended: ending.kind, seconds: since(began) })
  switch (ending.kind) {
    case 'made': {
      const device = ending.ran?.map(placeText).join('; ') || undefined
      return completeJob(runner, job, n, { pushed: ending.pushed, attempt: task.attempt, device })
    }
    case 'stopped':
      if (signal.reason === 'cancelled') return endAttemptOnly(runner, job, n, 'cancelled')
      return returnJob(runner, job, n, { state: 'released' }, 'the worker drains')
    case 'refused': {
      const { why, ofVideo } = ending
      if (!ofVideo) runner.onRefused(job.queue, why)
      const to = { state: 'released', after: ofVideo ? refusedFor : 0 } as const
      return returnJob(runner, job, n, to, `refused: ${why}`)
    }
    case 'lost-input':
      return loseInput(runner, job, n, ending)
    default:
      return afterFault(runner, slot, job, { n, before }, how, ending)
  }
}

async function afterFault(
  runner: JobRunner,
  slot: Slot,
  job: ClaimedJob,
  { n, before }: Begun,
  how: How,
  ending: Extract<TaskEnding, { kind: 'failed' | 'crashed' }>,
): Promise<void> {
  const [fault, message] =
    ending.kind === 'failed'
      ? [ending.as, ending.message]
      : (['crash', `the process of the slot ${ending.how}`] as const)
  const next = nextAfter(fault, before)
  if (next.do === 'fail') return failJob(runner, job, n, { kind: next.kind, message, attempts: n })
  if (next.do === 'retry') return returnJob(runner, job, n, { state: 'retry', after: next.after }, message)
  if (next.do === 'alone') return onceMoreAlone(runner, slot, job, n, message, how)
  runner.onStorageFault(message)
  return returnJob(runner, job, n, { state: 'released' }, message)
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
    const begun = await waitForDatabase(() => beginJob(runner, job))
    await runAttempt(runner, slot, job, begun, { ...how, careful: true })
  })
}

// A machine that can start no process has nothing to say about the job.
function notStarted(error: unknown): TaskEnding {
  return { kind: 'failed', as: 'storage', message: shortError(error) }
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
