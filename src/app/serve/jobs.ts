import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { checkGraph } from '../../../graphs/index.ts'
import type { RunEvent } from '../../core/agent.ts'
import { isOver, type Job, type JobRecord } from '../../core/api/job.ts'
import { problemOf, Refused } from '../../core/api/problem.ts'
import type { ServerEvent } from '../../core/api/routes.ts'
import type { AskReport } from '../../core/runtime.ts'
import type { Video } from '../../core/video.ts'
import { jsonOf } from '../../store/read-file.ts'
import { tail } from '../../store/tail.ts'
import { askDocument } from '../documents.ts'
import { askJob, indexJob, type JobParts, type JobWork } from './ask-job.ts'
import { type HeldJob, heldJob, jobView, news, watchJob } from './held-job.ts'
import { type EventSources, followAll, followJob } from './job-events.ts'
import { reportOfRun, runRecord } from './run-view.ts'

const maxWaiting = 64
const maxListed = 200
const maxKept = 500

export type AskWish = Pick<JobRecord, 'question' | 'session' | 'budget' | 'graph'>

export interface Jobs {
  list(): Job[] // the newest first
  job(id: string): Promise<Job>
  index(video: Video): Promise<Job>
  ask(video: Video, wish: AskWish): Promise<Job>
  resume(run: string): Promise<Job>
  cancel(id: string): Promise<Job>
  wait(id: string, seconds: number, signal: AbortSignal): Promise<Job>
  follow(id: string, after: number, signal: AbortSignal): AsyncIterable<ServerEvent>
  followAll(lastId: string | undefined, signal: AbortSignal): AsyncIterable<ServerEvent>
  isIndexing(video: string): boolean
  isBusy(video: string): boolean
  close(): Promise<void> // what is under way stays on disk, to go on with
}

// What the server was asked to do. Every job is on disk before it is answered for, so that a killed server forgets none.
export async function openJobs(parts: JobParts): Promise<Jobs> {
  const { store, home } = parts
  const held = new Map<string, HeldJob>()
  const told = news()
  const running = new Set<Promise<void>>()
  let closing = false

  const kept = await store.read()
  for (const record of kept.slice(0, -maxKept)) await store.remove(record.id)
  for (const record of kept.slice(-maxKept)) held.set(record.id, heldJob(await restored(parts, record)))
  for (const [at, { record }] of [...held.values()].entries())
    if (record !== kept.slice(-maxKept)[at]) await store.save(record)

  const find = (id: string): HeldJob => {
    const found = held.get(id)
    if (found) return found
    throw new Refused('unknown', 'There is no job with this id.', 'GET /api/jobs lists them.')
  }
  const update = async (job: HeldJob, change: Partial<JobRecord>) => {
    job.record = { ...job.record, ...change }
    await store.save(job.record)
    told.wake()
  }
  const whole = async (job: HeldJob): Promise<Job> => {
    const { state, kind, run } = job.record
    const report = kind === 'ask' && run !== undefined && isOver(state) ? await reportOfRun(home, run) : undefined
    return { ...jobView(job), ...(report && { answer: askDocument(report) }) }
  }
  const sources: EventSources = {
    jobs: () => held.values(),
    files({ record: { id, run, state }, phase }) {
      const asked = run !== undefined && (phase === 'asking' || isOver(state)) // until then it may yet be indexed
      return [store.traceFile(id), ...(asked ? [join(home, 'runs', run, 'trace.jsonl')] : [])]
    },
    whole,
    news: told,
  }

  const work = async (job: HeldJob) => {
    const own: JobWork = {
      job,
      begin: () => update(job, { state: 'running', started: job.record.started ?? new Date().toISOString() }),
      began: run => update(job, { run }),
      watch(event) {
        watchJob(job, event)
        told.tell()
      },
    }
    const end = (change: Partial<JobRecord>) =>
      update(job, { ended: new Date().toISOString(), ...stagesOf(job), ...change })
    try {
      if (job.record.kind === 'index') await end({ index: await indexJob(parts, own), state: 'done' })
      else await end(endOf(await askJob(parts, own)))
    } catch (error) {
      if (closing) return
      if (job.stop.signal.aborted) await end({ state: 'cancelled' })
      else await end({ state: 'failed', error: problemOf(error).problem.error })
    }
  }

  const add = async (video: JobRecord['video'], wish: Partial<JobRecord> & Pick<JobRecord, 'kind'>): Promise<Job> => {
    const waiting = [...held.values()].filter(({ record }) => record.state === 'waiting')
    if (closing || waiting.length >= maxWaiting)
      throw new Refused(
        'queue_full',
        `${maxWaiting} jobs are waiting already.`,
        'Wait until some are done, or cancel one.',
      )
    const { id, name, duration } = video
    const job = heldJob({
      ...{ id: newId(), state: 'waiting', video: { id, name, duration }, created: new Date().toISOString() },
      ...wish,
    })
    held.set(job.record.id, job)
    await update(job, {}).catch(error => {
      held.delete(job.record.id)
      throw error
    })
    const done = work(job)
      .catch(() => {}) // the disk refuses the record of its end; the next start finds out
      .finally(() => running.delete(done))
    running.add(done)
    return jobView(job)
  }
  const active = () => [...held.values()].filter(({ record }) => !isOver(record.state))

  return {
    list: () => [...held.values()].reverse().slice(0, maxListed).map(jobView),
    job: async id => whole(find(id)),
    index: video => add(video, { kind: 'index' }),
    async ask(video, wish) {
      if (wish.graph !== undefined) checkGraph(wish.graph)
      return add(video, { kind: 'ask', ...wish })
    },
    async resume(run) {
      const { environment, state } = await runRecord(home, run)
      const { question, video, session } = environment as Partial<Pick<AskReport, 'question' | 'session'>> & {
        video?: JobRecord['video']
      }
      if (!question || !video) throw new Refused('conflict', 'This run is not the run of a question.')
      if (state === 'finished') throw new Refused('conflict', 'This run has ended.', `GET /api/runs/${run}`)
      const other = active().find(({ record }) => record.run === run)
      if (other) throw new Refused('conflict', 'This run is under way.', `GET /api/jobs/${other.record.id}`)
      const { refers, ...asked } = question
      const text = refers?.asked ?? question.text
      return add(video, { kind: 'ask', question: { ...asked, text }, session, run })
    },
    async cancel(id) {
      const job = find(id)
      job.stop.abort()
      for (let time = 0; !isOver(job.record.state) && time < 20; time++)
        await told.wait(250, new AbortController().signal)
      return whole(job)
    },
    async wait(id, seconds, signal) {
      const job = find(id)
      for (const end = Date.now() + seconds * 1000; !isOver(job.record.state) && !signal.aborted; ) {
        const left = end - Date.now()
        if (left <= 0) break
        await told.wait(left, signal)
      }
      return whole(job)
    },
    follow: (id, after, signal) => followJob(sources, find(id), after, signal),
    followAll: (lastId, signal) => followAll(sources, lastId, signal),
    isIndexing: video => active().some(({ record, phase }) => record.video.id === video && phase === 'indexing'),
    isBusy: video => active().some(({ record }) => record.video.id === video),
    async close() {
      closing = true
      for (const job of active()) job.stop.abort()
      await Promise.all(running)
      store.close()
    },
  }
}

// A question that was not answered to its end is one to go on with.
function endOf({ stop }: AskReport): Partial<JobRecord> {
  if (stop === 'interrupted') return { state: 'cancelled' }
  if (stop !== 'failed') return { state: 'done' }
  const error = { message: 'A model failed; the answer is what was known by then.', code: 'backend', retryable: false }
  return { state: 'failed', error }
}

// A job that was under way when the server ended. The answer of a question whose run has ended is not lost.
async function restored({ home, store }: JobParts, before: JobRecord): Promise<JobRecord> {
  if (isOver(before.state)) return before
  const job = heldJob(before)
  const trace = tail(store.traceFile(before.id))
  for (let lines = await trace.next(); lines.length > 0; lines = await trace.next())
    for (const line of lines) {
      const event = jsonOf(line)
      if (event) watchJob(job, event as RunEvent) // a damaged line says nothing of a stage
    }
  const record = { ...before, ...stagesOf(job) }
  const ended = record.ended ?? new Date().toISOString()
  const report = record.run === undefined ? undefined : await reportOfRun(home, record.run).catch(() => undefined)
  if (report && report.stop !== 'interrupted') return { ...record, ended, ...endOf(report) }
  const error = {
    message: 'The server ended while this was under way.',
    hint: 'Go on with it: the request is in "goOn".',
    code: 'interrupted',
    retryable: true,
  }
  return { ...record, ended, state: 'failed', error }
}

function stagesOf({ stages }: HeldJob): Partial<JobRecord> {
  return stages.size === 0 ? {} : { stages: [...stages.values()] }
}

let lastTime = 0

// Sorts by time.
function newId(): string {
  lastTime = Math.max(Date.now(), lastTime + 1)
  return `j${lastTime.toString(36)}${randomBytes(3).toString('hex')}`
}
