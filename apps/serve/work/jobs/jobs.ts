import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { checkGraph } from '../../../../graphs/index.ts'
import type { Turn } from '../../../../src/core/agent.ts'
import type { ForkSettings, Job, JobRecord } from '../../../../src/core/api/job.ts'
import { isOver } from '../../../../src/core/api/job-state.ts'
import { Refused, toProblem } from '../../../../src/core/api/problem.ts'
import type { ServerEvent } from '../../../../src/core/api/routes.ts'
import { libraryGraph } from '../../../../src/core/library.ts'
import type { AskReport } from '../../../../src/core/runtime.ts'
import type { Video } from '../../../../src/core/video.ts'
import { refuseOddLimits } from '../../../../src/runtime/ask/stopped-run.ts'
import { listRounds } from '../../../../src/runtime/runs/run-film.ts'
import { runRecord } from '../../../../src/runtime/runs/run-record.ts'
import { readCheckpoints } from '../../../../src/store/run/checkpoints.ts'
import { askJob, indexJob, type JobParts, type JobWork } from './ask-job.ts'
import { answeringConfig, forkBudget, forkedConfig } from './fork-settings.ts'
import { type HeldJob, heldJob, jobView, watchJob } from './held-job.ts'
import { followAll, followJob } from './job-events.ts'
import { JobTable, jobEnd } from './job-table.ts'

const maxWaiting = 64
const maxListed = 200

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
  const table = new JobTable(parts)
  await table.open()
  const queue = new JobQueue(parts, table)
  const here = { own: parts.runtime.settings, environment: parts.environment }
  const limitsAsked = (run: string): JobRecord['budget'] => {
    const record = table.jobs().find(one => one.record.run === run)?.record
    return record && { ...record.budget, ...forkBudget(record.fork?.settings ?? {}) }
  }

  return {
    list: () => table.jobs().sort(byTime).reverse().slice(0, maxListed).map(jobView),
    job: async id => table.whole(await table.findAnywhere(id)),
    index: video => queue.add(video, { kind: 'index' }),
    async ask(video, { turns, ...wish }) {
      if (wish.graph !== undefined) checkGraph(wish.graph)
      if (wish.settings) await answeringConfig(wish.settings, here.own)
      return queue.add(video, { kind: 'ask', ...wish }, turns)
    },
    async resume(run, response) {
      const { question, video, session, state, file, budget } = await askedIn(home, run)
      if (state === 'finished') throw new Refused('conflict', 'This run has ended.', `GET /api/runs/${run}`)
      const other = table.active().find(({ record }) => record.run === run)
      if (other) throw new Refused('conflict', 'This run is already running.', `GET /api/jobs/${other.record.id}`)
      const limits = limitsAsked(run)
      await forkedConfig({ run, file, budget, asked: limits, settings: {}, ...here })
      const library = video.id === libraryGraph || undefined
      return queue.add(video, { kind: 'ask', question, session, library, run, response, budget: limits })
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
      return queue.add(video, {
        kind: 'ask',
        question,
        fork: { run, round, state: from.state, settings },
        budget: limits,
      })
    },
    async cancel(id) {
      const job = await table.findAnywhere(id)
      if (!job.elsewhere) job.stop.abort()
      else if (!isOver(job.record.state)) await store.askToCancel(id)
      for (let time = 0; !isOver(job.record.state) && time < 20; time++)
        await table.news.wait(250, new AbortController().signal)
      return table.whole(job)
    },
    async wait(id, seconds, signal) {
      const job = await table.findAnywhere(id)
      for (const end = Date.now() + seconds * 1000; !isOver(job.record.state) && !signal.aborted; ) {
        const millisecondsLeft = end - Date.now()
        if (millisecondsLeft <= 0) break
        await table.news.wait(millisecondsLeft, signal)
      }
      return table.whole(job)
    },
    events: {
      follow: (id, after, signal) => followJob(table, table.find(id), after, signal),
      followAll: (lastId, signal) => followAll(table, lastId, signal),
      onIndexed: tell => table.onIndexed(tell),
    },
    isIndexing: video => table.active().some(({ record, phase }) => record.video.id === video && phase === 'indexing'),
    isBusy: video => table.active().some(({ record }) => video === undefined || record.video.id === video),
    async close() {
      const ended = queue.close()
      await table.close()
      await ended
      await store.close()
    },
  }
}

// The jobs of this process: each begins as soon as it is added, and waits for its turn by itself.
class JobQueue {
  readonly #parts: JobParts
  readonly #table: JobTable
  readonly #running = new Set<Promise<void>>()
  #isClosing = false

  constructor(parts: JobParts, table: JobTable) {
    this.#parts = parts
    this.#table = table
  }

  async add(
    { id, name, duration }: JobRecord['video'],
    wish: Partial<JobRecord> & Pick<JobRecord, 'kind'>,
    turns?: Turn[],
  ): Promise<Job> {
    const table = this.#table
    const waiting = table.active().filter(({ record, elsewhere }) => !elsewhere && record.state === 'waiting')
    if (this.#isClosing || waiting.length >= maxWaiting) {
      const hint = 'Wait until some are done, or cancel one.'
      throw new Refused('queue_full', `${maxWaiting} jobs are waiting already.`, hint)
    }
    const created = new Date().toISOString()
    const record: JobRecord = { id: newId(), state: 'waiting', video: { id, name, duration }, created, ...wish }
    const job = heldJob(record, { turns })
    await table.add(job)
    const finished = this.#run(job)
      .catch(error => {
        // The disk refuses the record of its end: who waits is told, and the next start finds out.
        const { error: why } = toProblem(error).problem
        job.record = { ...job.record, state: 'failed', ended: new Date().toISOString(), error: why }
        table.news.wake()
      })
      .finally(() => this.#running.delete(finished))
    this.#running.add(finished)
    return jobView(job)
  }

  async close(): Promise<void> {
    this.#isClosing = true
    for (const job of this.#table.active()) if (!job.elsewhere) job.stop.abort()
    await Promise.all(this.#running)
  }

  async #run(job: HeldJob): Promise<void> {
    const table = this.#table
    const jobWork: JobWork = {
      job,
      begin: () => table.update(job, { state: 'running', started: job.record.started ?? new Date().toISOString() }),
      began: run => table.update(job, { run }),
      indexed: () => table.tellIndexed(),
      watch(event) {
        watchJob(job, event)
        table.news.tell()
      },
    }
    const end = (change: Partial<JobRecord>) =>
      table.update(job, { ended: new Date().toISOString(), stages: job.stages, ...change })
    try {
      if (job.record.kind === 'index') {
        await end({ index: await indexJob(this.#parts, jobWork), state: 'done' })
        table.tellIndexed()
      } else await end(jobEnd(await askJob(this.#parts, jobWork)))
    } catch (error) {
      if (this.#isClosing) return
      if (job.stop.signal.aborted) await end({ state: 'cancelled' })
      else await end({ state: 'failed', error: toProblem(error).problem.error })
    }
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

function byTime(a: HeldJob, b: HeldJob): number {
  return a.record.id < b.record.id ? -1 : 1
}

let lastTime = 0

// Sorts by time.
function newId(): string {
  lastTime = Math.max(Date.now(), lastTime + 1)
  return `j${lastTime.toString(36)}${randomBytes(3).toString('hex')}`
}
