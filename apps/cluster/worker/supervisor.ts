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
import type { Follow } from '../jobs/advance.ts'
import { reconcile } from '../jobs/reconcile.ts'
import { type JobRunner, jobName, runJob, shortError } from './run-job.ts'
import { type ServedJobs, type Slots, servedQueues } from './served.ts'
import type { Slot } from './slot.ts'
import { waitForDatabase } from './wait-for-database.ts'

interface WorkerOptions {
  cluster: { database: Database; engine: Engine; heartbeat: number } // seconds, as the engine has it
  own: Config
  host: Host
  version: string
  slots: Slots
  only?: readonly string[]
  ending: WorkerEnding
  openSlot(resource: Resource, nth: number): Slot
  others?(need: StageNeed): Promise<string | true>
  follow?: Follow
  output: WorkerOutput
}

// When a worker ends.
export interface WorkerEnding {
  untilIdle: boolean // when no request is open any more
  maxSeconds?: number
  drain: AbortSignal // no new jobs; those that run are stopped and given back
}

export interface WorkerOutput {
  say(line: string): void
  log?(event: object): void
}

const often = { poll: 2000, look: 5000, reconcile: 60_000, idle: 60_000 } // milliseconds
const warmth = 120_000 // milliseconds that a card stays with the model it has loaded

// Fetches jobs for its slots and says that it lives; everything else is done by the processes of the slots.
export async function superviseWorker(options: WorkerOptions): Promise<void> {
  const {
    cluster: { database, engine },
    own,
    host,
    slots,
    only,
    output: { say },
  } = options
  const id = `${hostname()}-${process.pid}-${randomBytes(2).toString('hex')}`
  const gate = exclusiveGate()
  // One after the other: a sign of life that is under way while this worker leaves would say that it lives.
  let signed: Promise<unknown> = Promise.resolve()
  let hasLeft = false
  const sign = <Written>(write: () => Promise<Written>): Promise<Written | undefined> => {
    const next = signed.then(() => (hasLeft ? undefined : write()))
    signed = next.catch(() => {})
    return next
  }
  const draining = new AbortController()
  setMaxListeners(0, draining.signal) // each slot waits on it
  const drain = (why: string) => {
    if (draining.signal.aborted) return
    say(`Drains: ${why}.`)
    draining.abort()
    wake()
  }
  const giveBack = (why = 'as it was told') => {
    drain(`${why}; what runs is given back`)
    for (const runningJob of runner.running) runningJob.stop('drained')
  }
  const refused = new Map<string, number>() // queue to when
  let pause = { until: 0, seconds: 15, note: '' }
  let served: ServedJobs = { queues: { cpu: [], gpu: [], net: [] }, not: [] }
  const naps = new Set<AbortController>()
  const wake = () => {
    for (const sleeper of naps) sleeper.abort()
  }
  const nap = async () => {
    if (draining.signal.aborted) return
    const napController = new AbortController()
    naps.add(napController)
    await jitter(often.poll, napController.signal)
    naps.delete(napController)
  }
  const runner: JobRunner = {
    database,
    engine,
    worker: id,
    follow: options.follow,
    running: new Set(),
    say,
    alone: gate.alone,
    log: event => options.output.log?.({ worker: id, ...event }),
    onRefused(queue, why) {
      if (!refused.has(queue)) say(`${queue} is not served any more: ${why}.`)
      refused.set(queue, performance.now())
    },
    onStorageFault(message) {
      pause = {
        until: performance.now() + pause.seconds * 1000,
        seconds: Math.min(pause.seconds * 2, 300),
        note: message,
      }
      say(`Pauses: ${message}`)
    },
  }
  const look = servedQueues(database, {
    own,
    host,
    slots,
    only,
    others: options.others ?? (async () => 'not known here'),
  })

  const beat = async () => {
    const note = pause.until > performance.now() ? pause.note : undefined
    const state = await sign(() => seeWorker(database, id, note))
    if (state === undefined) await register()
    if (state === 'draining') giveBack('as "longtake cluster drain" has asked')
    for (const activeJob of runner.running) if (!(await engine.touch(activeJob.job))) activeJob.stop('cancelled')
  }
  const register = () => {
    const queues = [...new Set(Object.values(served.queues).flat())]
    const sizes = Object.fromEntries(Object.entries(slots).filter(([, many]) => many > 0))
    return sign(() => addWorker(database, { id, host: hostname(), version: options.version, slots: sizes, queues }))
  }
  let lookedAt = 0
  const serve = async () => {
    lookedAt = performance.now()
    const now = await look()
    if (JSON.stringify(now) !== JSON.stringify(served)) {
      served = now
      for (const line of servedLines(now, slots)) say(line)
      await register()
    }
  }

  const fetchFor = async (resource: Resource, last: { queue: string; since: number } | undefined) => {
    if (performance.now() < pause.until) return undefined
    const fresh = served.queues[resource].filter(
      queue => performance.now() - (refused.get(queue) ?? -Infinity) > 300_000,
    )
    const isWarm = resource === 'gpu' && last && performance.now() - last.since < warmth && fresh.includes(last.queue)
    const queues = isWarm ? [last.queue, ...fresh.filter(queue => queue !== last.queue)] : fresh
    return queues.length > 0 ? engine.fetch(queues) : undefined
  }

  let idleSince = performance.now()
  // What follows a request, as the library's tables, is work of no open one.
  const hasWork = async () => {
    const ours = new Set(Object.values(served.queues).flat())
    return (await engine.counts()).some(({ queue, waiting, running }) => ours.has(queue) && waiting + running > 0)
  }
  const isOver = async () => {
    if (!options.ending.untilIdle || runner.running.size > 0) return false
    if (performance.now() - idleSince > often.idle) return true
    const { rows } = await database.query("select 1 from longtake.request where state = 'open' limit 1")
    return rows.length === 0 && !(await hasWork())
  }

  const tend = async (resource: Resource, nth: number) => {
    const slot = options.openSlot(resource, nth)
    let last: { queue: string; since: number } | undefined
    const ended = draining.signal
    try {
      while (!ended.aborted) {
        const leave = await gate.enter()
        let job: ClaimedJob | undefined
        try {
          job = ended.aborted ? undefined : await fetchFor(resource, last)
          if (job && ended.aborted) await engine.settle(job, { state: 'released' })
          else if (job) {
            if (last?.queue !== job.queue) last = { queue: job.queue, since: performance.now() }
            await runJob(runner, slot, job)
            idleSince = performance.now()
            pause = { ...pause, seconds: performance.now() > pause.until ? 15 : pause.seconds }
          }
        } catch (error) {
          say(`${job ? jobName(job) : 'Looking for work'}: ${shortError(error)}`)
          await sleep(2000, undefined, { signal: ended }).catch(() => {})
        } finally {
          leave()
        }
        if (!job && !ended.aborted) {
          if (await isOver().catch(() => false)) drain('nothing is left to be done')
          else await nap()
        }
      }
    } finally {
      await slot.close()
    }
  }

  const every = (milliseconds: number, work: () => Promise<unknown>) => {
    let busy = false
    return setInterval(() => {
      if (busy) return
      busy = true
      work()
        .catch(error => say(shortError(error)))
        .finally(() => {
          busy = false
        })
    }, milliseconds)
  }

  const unlisten = whenAborted(options.ending.drain, () => giveBack())
  await waitForDatabase(() => serve().then(register), { say, signal: options.ending.drain })
  const deaf = await database
    .listen(word => {
      if (word === 'cancelled' || word === 'drain') void beat().catch(() => {})
      else if (performance.now() - lookedAt < 500) wake()
      else void serve().then(wake, wake) // the first jobs of a request may bring queues
    })
    .catch(() => async () => {}) // without it, polling finds the same a little later
  const timers = [
    every(Math.min(15_000, (options.cluster.heartbeat * 1000) / 4), beat),
    every(often.look, serve),
    every(often.reconcile, () => reconcile(database, engine, options.follow)),
  ]
  if (options.ending.maxSeconds) timers.push(setTimeout(() => giveBack(), options.ending.maxSeconds * 1000))
  try {
    const places = (Object.entries(slots) as [Resource, number][]).flatMap(([resource, many]) =>
      Array.from({ length: many }, (_, nth) => tend(resource, nth)),
    )
    await Promise.all(places)
  } finally {
    for (const timer of timers) clearTimeout(timer)
    unlisten()
    await deaf()
    const leave = () => {
      hasLeft = true
      return leaveWorker(database, id)
    }
    await sign(leave).catch(() => {})
  }
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
