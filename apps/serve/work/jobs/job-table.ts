import { join } from 'node:path'
import type { RunEvent } from '../../../../src/core/agent.ts'
import type { Job, JobRecord } from '../../../../src/core/api/job.ts'
import { isOver } from '../../../../src/core/api/job-state.ts'
import { Refused } from '../../../../src/core/api/problem.ts'
import type { AskReport } from '../../../../src/core/runtime.ts'
import { askDocument } from '../../../../src/runtime/documents.ts'
import { reportOfRun } from '../../../../src/runtime/runs/run-record.ts'
import { parseStoredJson } from '../../../../src/store/read-file.ts'
import type { JobStore, KeptJob } from '../../../../src/store/serve/jobs.ts'
import { tail } from '../../../../src/store/tail.ts'
import { sweepAbandonedBelow } from '../../../../src/store/temporary.ts'
import { type HeldJob, heldJob, jobView, news, watchJob } from './held-job.ts'
import type { EventSources } from './job-events.ts'

const maxKept = 500
const lookAround = 1000 // milliseconds between two looks at what other processes do

interface TableParts {
  home: string
  store: JobStore
}

// The jobs that the server knows, as they are on disk: its own, and those of other processes.
export class JobTable implements EventSources {
  readonly news = news()
  readonly #parts: TableParts
  readonly #byId = new Map<string, HeldJob>()
  readonly #onIndexed = new Set<() => void>()
  #looking: NodeJS.Timeout | undefined
  #refreshing: Promise<void> | undefined

  constructor(parts: TableParts) {
    this.#parts = parts
  }

  async open(): Promise<void> {
    const { store } = this.#parts
    const stored = await store.read()
    const old = stored.filter(({ record }) => isOver(record.state)).slice(0, Math.max(0, stored.length - maxKept))
    for (const { record } of old) await store.remove(record.id)
    for (const job of stored.filter(one => !old.includes(one))) await this.#takeIn(job)
    this.#looking = setInterval(() => this.#refresh(), lookAround).unref()
  }

  jobs(): HeldJob[] {
    return [...this.#byId.values()]
  }

  active(): HeldJob[] {
    return this.jobs().filter(({ record }) => !isOver(record.state))
  }

  find(id: string): HeldJob {
    const job = this.#byId.get(id)
    if (job) return job
    throw new Refused('unknown', 'There is no job with this id.', 'GET /api/jobs lists them.')
  }

  async findAnywhere(id: string): Promise<HeldJob> {
    if (!this.#byId.has(id)) await this.#refresh() // another process may have just begun it
    return this.find(id)
  }

  async add(job: HeldJob): Promise<void> {
    this.#byId.set(job.record.id, job)
    await this.update(job, {}).catch(error => {
      this.#byId.delete(job.record.id)
      throw error
    })
  }

  // Nobody is told what is not on disk: after a kill it would not be so.
  update(job: HeldJob, change: Partial<JobRecord>): Promise<void> {
    const write = async () => {
      const record = { ...job.record, ...change }
      await this.#parts.store.save(record, job.phase)
      job.record = record
      this.news.wake()
    }
    job.saving = job.saving.then(write, write) // one after the other
    return job.saving
  }

  async whole(job: HeldJob): Promise<Job> {
    const { state, kind, run } = job.record
    const { home } = this.#parts
    const report = kind === 'ask' && run !== undefined && isOver(state) ? await reportOfRun(home, run) : undefined
    return { ...jobView(job), ...(report && { answer: askDocument(report) }) }
  }

  files({ record: { id, run, state }, phase }: HeldJob): string[] {
    const { home, store } = this.#parts
    const isAsked = run !== undefined && (phase === 'asking' || isOver(state)) // until then it may yet be indexed
    return [store.traceFile(id), ...(isAsked ? [join(home, 'runs', run, 'trace.jsonl')] : [])]
  }

  onIndexed(tell: () => void): () => void {
    this.#onIndexed.add(tell)
    return () => void this.#onIndexed.delete(tell)
  }

  tellIndexed(): void {
    for (const tell of this.#onIndexed) tell()
  }

  async close(): Promise<void> {
    clearInterval(this.#looking)
    await this.#refreshing
  }

  // A job that another process has on disk; what that left when it ended is settled here.
  async #takeIn({ record, phase, at }: KeptJob): Promise<void> {
    const { store, home } = this.#parts
    const current = at === 'nowhere' && !isOver(record.state) ? await restored(this.#parts, record) : record
    if (current !== record) {
      await store.save(current, phase)
      // What was half-written of its run; whoever resumes it sweeps as well.
      if (current.run !== undefined) await sweepAbandonedBelow(join(home, 'runs', current.run)).catch(() => [])
    }
    const earlierJob = this.#byId.get(record.id)
    const wasIndexing = record.kind === 'index' || earlierJob?.phase === 'indexing'
    if (earlierJob) Object.assign(earlierJob, { record: current, phase, stages: current.stages ?? earlierJob.stages })
    else this.#byId.set(record.id, heldJob(current, { phase, elsewhere: true }))
    if (wasIndexing && (isOver(current.state) || phase === 'asking')) this.tellIndexed()
  }

  #refresh(): Promise<void> {
    this.#refreshing ??= this.#lookElsewhere()
      .catch(() => {}) // the disk refuses: the next look may find more
      .finally(() => {
        this.#refreshing = undefined
      })
    return this.#refreshing
  }

  async #lookElsewhere(): Promise<void> {
    const { store } = this.#parts
    const isSettled = (id: string) => {
      const job = this.#byId.get(id)
      return job !== undefined && (!job.elsewhere || isOver(job.record.state))
    }
    const changed = await store.read(isSettled)
    for (const other of changed) await this.#takeIn(other)
    if (changed.length > 0) this.news.tell()
    for (const job of this.active()) if (!job.elsewhere && (await store.isCancelAsked(job.record.id))) job.stop.abort()
  }
}

// A question that was not answered to its end is one to go on with.
export function jobEnd({ stop }: AskReport): Partial<JobRecord> {
  if (stop === 'interrupted') return { state: 'cancelled' }
  if (stop !== 'failed') return { state: 'done' }
  const error = { message: 'A model failed; the answer is what was known by then.', code: 'backend', retryable: false }
  return { state: 'failed', error }
}

// A job that was under way when the server ended. The answer of a question whose run has ended is not lost.
async function restored({ home, store }: TableParts, before: JobRecord): Promise<JobRecord> {
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
