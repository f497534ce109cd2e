import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { checkGraph } from '../../../../graphs/index.ts'
import type { RunEvent, Turn } from '../../../../src/core/agent.ts'
import type { ForkSettings, Job, JobRecord } from '../../../../src/core/api/job.ts'
import { isOver } from '../../../../src/core/api/job-state.ts'
import { Refused, toProblem } from '../../../../src/core/api/problem.ts'
import type { ServerEvent } from '../../../../src/core/api/routes.ts'
import { libraryGraph } from '../../../../src/core/library.ts'
import type { AskReport } from '../../../../src/core/runtime.ts'
import type { Video } from '../../../../src/core/video.ts'
import { refuseOddLimits } from '../../../../src/runtime/ask/stopped-run.ts'
import { askDocument } from '../../../../src/runtime/documents.ts'
import { listRounds } from '../../../../src/runtime/runs/run-film.ts'
import { reportOfRun, runRecord } from '../../../../src/runtime/runs/run-record.ts'
import { parseStoredJson } from '../../../../src/store/read-file.ts'
import { readCheckpoints } from '../../../../src/store/run/checkpoints.ts'
import type { KeptJob } from '../../../../src/store/serve/jobs.ts'
import { tail } from '../../../../src/store/tail.ts'
import { sweepAbandonedBelow } from '../../../../src/store/temporary.ts'
import { askJob, indexJob, type JobParts, type JobWork } from './ask-job.ts'
import { answeringConfig, forkBudget, forkedConfig } from './fork-settings.ts'
import { type HeldJob, heldJob, jobView, news, watchJob } from './held-job.ts'
import { type EventSources, followAll, followJob } from './job-events.ts'

const maxWaiting = 64
const maxListed = 200
const maxKept = 500
const lookAround = 1000 // milliseconds between two looks at what other processes do

export interface AskWish
  extends Pick<
    JobRecord,
    'question' | 'session' | 'library' | 'within' | 'budget' | 'graph' | 'settings' | 'response'
  > {
  turns?: Turn[] // before the question, where no session holds them
}

export interface Jobs {
  list(): Job[] // the newest first
  job(id: string): Promise<Job>
  index(video: Video): Promise<Job>
  ask(video: JobRecord['video'], wish: AskWish): Promise<Job>
  resume(run: string, response?: JobRecord['response']): Promise<Job>
  fork(run: string, round: number, settings: ForkSettings): Promise<Job>
  cancel(id: string): Promise<Job>
  wait(id: string, seconds: number, signal: AbortSignal): Promise<Job>
  events: JobEvents
  isIndexing(video: string): boolean
  isBusy(video?: string): boolean // without one: with any
  close(): Promise<void> // what is under way stays on disk, to go on with
}

interface JobEvents {
  follow(id: string, after: number, signal: AbortSignal): AsyncIterable<ServerEvent>
  followAll(lastId: string | undefined, signal: AbortSignal): AsyncIterable<ServerEvent>
  onIndexed(tell: () => void): () => void // after each indexing, also of another process, until it is given back
}

// What the server was asked to do. Every job is on disk before it is answered for, so that a killed server forgets none.
export async function openJobs(parts: JobParts): Promise<Jobs> {
  const { store, home } = parts
  const jobsById = new Map<string, HeldJob>()
  const active = () => [...jobsById.values()].filter(({ record }) => !isOver(record.state))
  const jobNews = news()
  const running = new Set<Promise<void>>()
  const indexed = new Set<() => void>()
  const tellIndexed = () => {
    for (const tell of indexed) tell()
  }
  let closing = false

  // A job that another process has on disk; what that left when it ended is settled here.
  const takeIn = async ({ record, phase, at }: KeptJob) => {
    const current = at === 'nowhere' && !isOver(record.state) ? await restored(parts, record) : record
    if (current !== record) {
      await store.save(current, phase)
      // What was half-written of its run; whoever resumes it sweeps as well.
      if (current.run !== undefined) await sweepAbandonedBelow(join(home, 'runs', current.run)).catch(() => [])
    }
    const earlierJob = jobsById.get(record.id)
    const wasIndexing = record.kind === 'index' || earlierJob?.phase === 'indexing'
    if (earlierJob) Object.assign(earlierJob, { record: current, phase, stages: current.stages ?? earlierJob.stages })
    else jobsById.set(record.id, heldJob(current, { phase, elsewhere: true }))
    if (wasIndexing && (isOver(current.state) || phase === 'asking')) tellIndexed()
  }
  const refresh = async () => {
    const isSettled = (id: string) => {
      const heldJob = jobsById.get(id)
      return heldJob !== undefined && (!heldJob.elsewhere || isOver(heldJob.record.state))
    }
    const storedJobs = await store.read(isSettled)
    for (const other of storedJobs) await takeIn(other)
    if (storedJobs.length > 0) jobNews.tell()
    for (const job of active()) if (!job.elsewhere && (await store.isCancelAsked(job.record.id))) job.stop.abort()
  }
  let refreshing: Promise<void> | undefined
  const refreshOnce = () => {
    refreshing ??= refresh()
      .catch(() => {}) // the disk refuses: the next look may find more
      .finally(() => {
        refreshing = undefined
      })
    return refreshing
  }

  const allStored = await store.read()
  const old = allStored.filter(({ record }) => isOver(record.state)).slice(0, Math.max(0, allStored.length - maxKept))
  for (const { record } of old) await store.remove(record.id)
  for (const storedJob of allStored.filter(one => !old.includes(one))) await takeIn(storedJob)
  const looking = setInterval(refreshOnce, lookAround).unref()

  const find = (id: string): HeldJob => {
    const heldJob = jobsById.get(id)
    if (heldJob) return heldJob
    throw new Refused('unknown', 'There is no job with this id.', 'GET /api/jobs lists them.')
  }
  const findAnywhere = async (id: string): Promise<HeldJob> => {
    if (!jobsById.has(id)) await refreshOnce() // another process may have just begun it
    return find(id)
  }
  const here = { own: parts.runtime.settings, environment: parts.environment }
  const limitsAsked = (run: string): JobRecord['budget'] => {
    const record = [...jobsById.values()].find(one => one.record.run === run)?.record
    return record && { ...record.budget, ...forkBudget(record.fork?.settings ?? {}) }
  }
  // Nobody is told what is not on disk: after a kill it would not be so.
  const update = (job: HeldJob, change: Partial<JobRecord>): Promise<void> => {
    const write = async () => {
      const record = { ...job.record, ...change }
      await store.save(record, job.phase)
      job.record = record
      jobNews.wake()
    }
    job.saving = job.saving.then(write, write) // one after the other
    return job.saving
  }
  const whole = async (job: HeldJob): Promise<Job> => {
    const { state, kind, run } = job.record
    const report = kind === 'ask' && run !== undefined && isOver(state) ? await reportOfRun(home, run) : undefined
    return { ...jobView(job), ...(report && { answer: askDocument(report) }) }
  }
  const sources: EventSources = {
    jobs: () => jobsById.values(),
    files({ record: { id, run, state }, phase }) {
      const isAsked = run !== undefined && (phase === 'asking' || isOver(state)) // until then it may yet be indexed
      return [store.traceFile(id), ...(isAsked ? [join(home, 'runs', run, 'trace.jsonl')] : [])]
    },
    whole,
    news: jobNews,
  }

  const runJob = async (job: HeldJob) => {
    const jobWork: JobWork = {
      job,
      begin: () => update(job, { state: 'running', started: job.record.started ?? new Date().toISOString() }),
      began: run => update(job, { run }),
      indexed: tellIndexed,
      watch(event) {
        watchJob(job, event)
        jobNews.tell()
      },
    }
    const end = (change: Partial<JobRecord>) =>
      update(job, { ended: new Date().toISOString(), stages: job.stages, ...change })
    try {
      if (job.record.kind === 'index') {
        await end({ index: await indexJob(parts, jobWork), state: 'done' })
        tellIndexed()
      } else await end(jobEnd(await askJob(parts, jobWork)))
    } catch (error) {
      if (closing) return
      if (job.stop.signal.aborted) await end({ state: 'cancelled' })
      else await end({ state: 'failed', error: toProblem(error).problem.error })
    }
  }

  const add = async (
    video: JobRecord['video'],
    wish: Partial<JobRecord> & Pick<JobRecord, 'kind'>,
    turns?: Turn[],
  ): Promise<Job> => {
    const waiting = active().filter(({ record, elsewhere }) => !elsewhere && record.state === 'waiting')
    if (closing || waiting.length >= maxWaiting)
      throw new Refused(
        'queue_full',
        `${maxWaiting} jobs are waiting already.`,
        'Wait until some are done, or cancel one.',
      )
    const { id, name, duration } = video
    const about = {
      id: newId(),
      state: 'waiting',
      video: { id, name, duration },
      created: new Date().toISOString(),
    } as const
    const job = heldJob({ ...about, ...wish }, { turns })
    jobsById.set(job.record.id, job)
    await update(job, {}).catch(error => {
      jobsById.delete(job.record.id)
      throw error
    })
    const finished = runJob(job)
      .catch(error => {
        // The disk refuses the record of its end: who waits is told, and the next start finds out.
        const { error: why } = toProblem(error).problem
        job.record = { ...job.record, state: 'failed', ended: new Date().toISOString(), error: why }
        jobNews.wake()
      })
      .finally(() => running.delete(finished))
    running.add(finished)
    return jobView(job)
  }

  return {
    list: () => [...jobsById.values()].sort(byTime).reverse().slice(0, maxListed).map(jobView),
    job: async id => whole(await findAnywhere(id)),
    index: video => add(video, { kind: 'index' }),
    async ask(video, { turns, ...wish }) {
      if (wish.graph !== undefined) checkGraph(wish.graph)
      if (wish.settings) await answeringConfig(wish.settings, here.own)
      return add(video, { kind: 'ask', ...wish }, turns)
    },
    async resume(run, response) {
      const { question, video, session, state, file, budget } = await askedIn(home, run)
      if (state === 'finished') throw new Refused('conflict', 'This run has ended.', `GET /api/runs/${run}`)
      const other = active().find(({ record }) => record.run === run)
      if (other) throw new Refused('conflict', 'This run is already running.', `GET /api/jobs/${other.record.id}`)
      const limits = limitsAsked(run)
      await forkedConfig({ run, file, budget, asked: limits, settings: {}, ...here })
      const library = video.id === libraryGraph || undefined
      return add(video, { kind: 'ask', question, session, library, run, response, budget: limits })
    },
    async fork(run, round, settings) {
      const { question, video, folder, file, budget } = await askedIn(home, run)
      const rounds = listRounds(await readCheckpoints(folder))
      const from = rounds.find(one => one.round === round)
      if (!from) {
        const hint = rounds.length > 0 ? `It has ${rounds.map(one => one.round).join(', ')}.` : 'No step of it is kept.'
        throw new Refused('unknown', `The run cannot be forked from round ${round}.`, hint)
      }
      const limits = limitsAsked(run)
      await forkedConfig({ run, file, budget, asked: limits, settings, ...here })
      return add(video, { kind: 'ask', question, fork: { run, round, state: from.state, settings }, budget: limits })
    },
    async cancel(id) {
      const job = await findAnywhere(id)
      if (!job.elsewhere) job.stop.abort()
      else if (!isOver(job.record.state)) await store.askToCancel(id)
      for (let time = 0; !isOver(job.record.state) && time < 20; time++)
        await jobNews.wait(250, new AbortController().signal)
      return whole(job)
    },
    async wait(id, seconds, signal) {
      const job = await findAnywhere(id)
      for (const end = Date.now() + seconds * 1000; !isOver(job.record.state) && !signal.aborted; ) {
        const millisecondsLeft = end - Date.now()
        if (millisecondsLeft <= 0) break
        await jobNews.wait(millisecondsLeft, signal)
      }
      return whole(job)
    },
    events: {
      follow: (id, after, signal) => followJob(sources, find(id), after, signal),
      followAll: (lastId, signal) => followAll(sources, lastId, signal),
      onIndexed(tell) {
        indexed.add(tell)
        return () => void indexed.delete(tell)
      },
    },
    isIndexing: video => active().some(({ record, phase }) => record.video.id === video && phase === 'indexing'),
    isBusy: video => active().some(({ record }) => video === undefined || record.video.id === video),
    async close() {
      closing = true
      clearInterval(looking)
      for (const job of active()) if (!job.elsewhere) job.stop.abort()
      await Promise.all([...running, refreshing])
      await store.close()
    },
  }
}

// What was asked in a run, in its own words.
async function askedIn(home: string, run: string) {
  const { environment, state, folder } = await runRecord(home, run)
  const { question, video, session, budget } = environment as Partial<Pick<AskReport, 'question' | 'session'>> & {
    video?: JobRecord['video']
    budget?: object
  }
  if (!question || !video) throw new Refused('conflict', 'This run is not the run of a question.')
  refuseOddLimits(folder, { budget })
  const { refers, ...asked } = question
  return {
    question: { ...asked, text: refers?.asked ?? question.text },
    video,
    session,
    state,
    folder,
    budget,
    file: join(folder, 'config.json'),
  }
}

// A question that was not answered to its end is one to go on with.
function jobEnd({ stop }: AskReport): Partial<JobRecord> {
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
      const event = parseStoredJson(line)
      if (event) watchJob(job, event as RunEvent) // a damaged line says nothing of a stage
    }
  const record = { ...before, stages: job.stages }
  const ended = record.ended ?? new Date().toISOString()
  const report = record.run === undefined ? undefined : await reportOfRun(home, record.run).catch(() => undefined)
  if (report && report.stop !== 'interrupted') return { ...record, ended, ...jobEnd(report) }
  const error = {
    message: 'The server stopped during this job.',
    hint: 'Resume it: the request is in "goOn".',
    code: 'interrupted',
    retryable: true,
  }
  return { ...record, ended, state: 'failed', error }
}

function byTime(a: HeldJob, b: HeldJob): number {
  return a.record.id < b.record.id ? -1 : 1
}

let lastTime = 0

// Sorts by time.
function newId(): string {
  lastTime = Math.max(Date.now(), lastTime + 1)
  return `j${lastTime.toString(36)}${randomBytes(3).toString('hex')}`
}
