import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../../src/config/schema.ts'
import type { Host } from '../../../src/core/backend.ts'
import { whenAborted } from '../../../src/core/basics/signals.ts'
import type { StageNeed } from '../data/catalogue/videos.ts'
import { addWorker, leaveWorker, seeWorker } from '../data/catalogue/workers.ts'
import type { Resource } from '../data/job.ts'
import type { Database } from '../data/sql.ts'
import type { ClaimedJob, Engine } from '../engine/engine.ts'
import { reconcile } from '../jobs/advance.ts'
import { type JobRunner, jobName, runJob, shortError } from './run-job.ts'
import { type ServedJobs, type Slots, servedQueues } from './served.ts'
import type { Slot } from './slot.ts'
import { waitForDatabase } from './wait-for-database.ts'

export interface WorkerOptions {
  cluster: { database: Database; engine: Engine; heartbeat: number } // seconds, as the engine has it
  own: Config
  host: Host
  version: string
  slots: Slots
  only?: readonly string[]
  ending: {
    untilIdle: boolean // when no request is open any more
    maxSeconds?: number
    drain: AbortSignal // no new jobs; those that run are stopped and given back
  }
  openSlot(resource: Resource, nth: number): Slot
  others?(need: StageNeed): Promise<string | true>
  output: { say(line: string): void; log?(event: object): void }
}

const often = { poll: 2000, look: 5000, reconcile: 60_000, idle: 60_000 } // milliseconds
const warmth = 120_000 // milliseconds that a card stays with the model it has loaded
const refusedFor = 300_000 // milliseconds that a queue is left to others, once its jobs cannot be done here

// Fetches jobs for its slots and says that it lives; everything else is done by the processes of the slots.
export function superviseWorker(options: WorkerOptions): Promise<void> {
  return new Supervisor(options).work()
}

class Supervisor {
  readonly #id = `${hostname()}-${process.pid}-${randomBytes(2).toString('hex')}`
  readonly #options: WorkerOptions
  readonly #runner: JobRunner
  readonly #gate = exclusiveGate()
  readonly #look: () => Promise<ServedJobs>
  readonly #draining = abortController()
  readonly #refused = new Map<string, number>() // queue to when
  #waking = abortController() // ends the naps of the slots
  #pause = { until: 0, seconds: 15, note: '' }
  #served: ServedJobs = { queues: { cpu: [], gpu: [], net: [] }, not: [] }
  #lookedAt = 0
  #idleSince = performance.now()

  constructor(options: WorkerOptions) {
    const { cluster, own, host, slots, only, others = async () => 'not known here', output } = options
    this.#options = options
    this.#look = servedQueues(cluster.database, { own, host, slots, only, others })
    this.#runner = {
      database: cluster.database,
      engine: cluster.engine,
      worker: this.#id,
      running: new Set(),
      say: output.say,
      alone: this.#gate.alone,
      log: event => output.log?.({ worker: this.#id, ...event }),
      onRefused: (queue, why) => {
        if (!this.#refused.has(queue)) output.say(`${queue} is not served any more: ${why}.`)
        this.#refused.set(queue, performance.now())
      },
      onStorageFault: note => {
        const { seconds } = this.#pause
        this.#pause = { until: performance.now() + seconds * 1000, seconds: Math.min(seconds * 2, 300), note }
        output.say(`Pauses: ${note}`)
      },
    }
  }

  async work(): Promise<void> {
    const { cluster, ending, slots, output } = this.#options
    const { database, engine } = cluster
    const { say } = output
    const unlisten = whenAborted(ending.drain, () => this.#giveBack())
    await waitForDatabase(() => this.#serve().then(() => this.#register()), { say, signal: ending.drain })
    const beating = repeat(Math.min(15_000, (cluster.heartbeat * 1000) / 4), () => this.#beat(), say)
    const serving = repeat(often.look, () => this.#serve(), say)
    const planning = repeat(often.reconcile, () => reconcile(database, engine), say)
    const deaf = await database
      .listen(word => {
        if (word === 'cancelled' || word === 'drain') beating.now()
        else if (performance.now() - this.#lookedAt < 500) this.#wake()
        else serving.now() // the first jobs of a request may bring queues
      })
      .catch(() => async () => {}) // without it, polling finds the same a little later
    const { maxSeconds } = ending
    const timer = maxSeconds ? setTimeout(() => this.#giveBack(), maxSeconds * 1000) : undefined
    try {
      const places = (Object.entries(slots) as [Resource, number][]).flatMap(([resource, many]) =>
        Array.from({ length: many }, (_, nth) => this.#tend(resource, nth)),
      )
      await Promise.all(places)
    } finally {
      clearTimeout(timer)
      unlisten()
      await deaf()
      void planning.end()
      await Promise.all([beating.end(), serving.end()]) // a sign of life after it has left would say that it lives
      await leaveWorker(database, this.#id).catch(() => {})
    }
  }

  // The life of one slot.
  async #tend(resource: Resource, nth: number): Promise<void> {
    const slot = this.#options.openSlot(resource, nth)
    const { engine } = this.#options.cluster
    const { say } = this.#options.output
    const ended = this.#draining.signal
    let last: LastQueue | undefined
    try {
      while (!ended.aborted) {
        const leave = await this.#gate.enter()
        let job: ClaimedJob | undefined
        try {
          job = ended.aborted ? undefined : await this.#fetch(resource, last)
          if (job && ended.aborted) await engine.settle(job, { state: 'released' })
          else if (job) {
            if (last?.queue !== job.queue) last = { queue: job.queue, since: performance.now() }
            await runJob(this.#runner, slot, job)
            this.#idleSince = performance.now()
            if (performance.now() > this.#pause.until) this.#pause.seconds = 15
          }
        } catch (error) {
          say(`${job ? jobName(job) : 'Looking for work'}: ${shortError(error)}`)
          await sleep(2000, undefined, { signal: ended }).catch(() => {})
        } finally {
          leave()
        }
        if (job || ended.aborted) continue
        if (await this.#isOver().catch(() => false)) this.#drain('nothing is left to be done')
        else if (!ended.aborted) await jitter(often.poll, this.#waking.signal)
      }
    } finally {
      await slot.close()
    }
  }

  async #fetch(resource: Resource, last: LastQueue | undefined): Promise<ClaimedJob | undefined> {
    const now = performance.now()
    if (now < this.#pause.until) return undefined
    const queues = this.#served.queues[resource].filter(
      queue => now - (this.#refused.get(queue) ?? -Infinity) > refusedFor,
    )
    const isWarm = resource === 'gpu' && last && now - last.since < warmth && queues.includes(last.queue)
    const ordered = isWarm ? [...new Set([last.queue, ...queues])] : queues
    return ordered.length > 0 ? this.#options.cluster.engine.fetch(ordered) : undefined
  }

  async #isOver(): Promise<boolean> {
    const { database, engine } = this.#options.cluster
    if (!this.#options.ending.untilIdle || this.#runner.running.size > 0) return false
    if (performance.now() - this.#idleSince > often.idle) return true
    const { rows } = await database.query("select 1 from longtake.request where state = 'open' limit 1")
    if (rows.length > 0) return false
    // What follows a request, as the library's tables, is work of no open one.
    const ours = this.#servedNames()
    return !(await engine.counts()).some(({ queue, waiting, running }) => ours.includes(queue) && waiting + running > 0)
  }

  // Says that it lives, and hears what others have decided meanwhile.
  async #beat(): Promise<void> {
    const { database, engine } = this.#options.cluster
    const note = this.#pause.until > performance.now() ? this.#pause.note : undefined
    const state = await seeWorker(database, this.#id, note)
    if (state === undefined) await this.#register()
    if (state === 'draining') this.#giveBack('as "longtake cluster drain" has asked')
    for (const { job, stop } of this.#runner.running) if (!(await engine.touch(job))) stop('cancelled')
  }

  // Looks what can be served here, and wakes the slots.
  async #serve(): Promise<void> {
    this.#lookedAt = performance.now()
    try {
      const now = await this.#look()
      if (JSON.stringify(now) === JSON.stringify(this.#served)) return
      this.#served = now
      for (const line of servedLines(now, this.#options.slots)) this.#options.output.say(line)
      await this.#register()
    } finally {
      this.#wake()
    }
  }

  async #register(): Promise<void> {
    const { slots, version, cluster } = this.#options
    const sizes = Object.fromEntries(Object.entries(slots).filter(([, many]) => many > 0))
    const row = { id: this.#id, host: hostname(), version, slots: sizes, queues: this.#servedNames() }
    await addWorker(cluster.database, row)
  }

  #servedNames(): string[] {
    return [...new Set(Object.values(this.#served.queues).flat())]
  }

  #wake(): void {
    this.#waking.abort()
    this.#waking = abortController()
  }

  #drain(why: string): void {
    if (this.#draining.signal.aborted) return
    this.#options.output.say(`Drains: ${why}.`)
    this.#draining.abort()
    this.#wake()
  }

  #giveBack(why = 'as it was told'): void {
    this.#drain(`${why}; what runs is given back`)
    for (const { stop } of this.#runner.running) stop('drained')
  }
}

interface LastQueue {
  queue: string
  since: number
}

// Each slot waits on its signal.
function abortController(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}

// Does the work again and again, and at once when that is asked for; one after the other.
function repeat(milliseconds: number, work: () => Promise<unknown>, say: (line: string) => void) {
  let pause = new AbortController()
  let isOver = false
  const loop = async () => {
    for (;;) {
      await sleep(milliseconds, undefined, { signal: pause.signal }).catch(() => {})
      pause = new AbortController()
      if (isOver) return
      await work().catch(error => say(shortError(error)))
    }
  }
  const ended = loop()
  const now = () => pause.abort()
  const end = () => {
    isOver = true
    now()
    return ended
  }
  return { now, end }
}

function servedLines({ queues, not }: ServedJobs, slots: Slots): string[] {
  const lines = (Object.entries(queues) as [Resource, string[]][])
    .filter(([resource]) => slots[resource] > 0)
    .map(([resource, names]) => `${resource} x ${slots[resource]}: ${names.join(', ') || 'no queues yet'}`)
  return [...lines, ...not.map(({ queue, why }) => `not served: ${queue}: ${why}`)]
}

async function jitter(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds * (0.5 + Math.random()), undefined, { signal }).catch(() => {})
}

// Who enters shares; who asks to be alone waits until the others have left, and nobody enters meanwhile.
export function exclusiveGate() {
  let inside = 0
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let wakes: (() => void)[] = []
  const changed = () => new Promise<void>(resolve => wakes.push(resolve))
  const leave = () => {
    inside--
    const now = wakes
    wakes = []
    for (const wake of now) wake()
  }
  return {
    async enter(): Promise<() => void> {
      while (waiting > 0) await changed()
      inside++
      return leave
    },
    // For one who is inside; two of them go one after the other.
    async alone<T>(work: () => Promise<T>): Promise<T> {
      waiting++
      leave()
      const turn = last.then(async () => {
        while (inside > 0) await changed()
        inside++
        return work()
      })
      last = turn.catch(() => {})
      try {
        return await turn
      } finally {
        waiting--
      }
    },
  }
}
