import type { Watch } from '../../../src/core/agent.ts'
import { once } from '../../../src/core/basics/once.ts'
import {
  BackendError,
  errorText,
  InputError,
  LongtakeError,
  StorageError,
  UsageError,
} from '../../../src/core/errors.ts'
import { contentHash } from '../../../src/core/json.ts'
import { resourceFault } from '../../../src/core/machine/resource-fault.ts'
import type { Video } from '../../../src/core/video.ts'
import { type FrozenIndex, modelsHere } from '../../../src/runtime/index/frozen-index.ts'
import { inOneLine } from '../../../src/runtime/index/stage-runner.ts'
import { buildHost } from '../../../src/runtime/models/host.ts'
import type { Models } from '../../../src/runtime/models/models.ts'
import { openLibrary } from '../../../src/store/library/library.ts'
import { openDatabase } from '../data/database.ts'
import { readFrozenVideo } from '../jobs/plan-from-rows.ts'
import { sharedTurns } from '../limits/shared-turns.ts'
import type { Counted } from '../observe/counters.ts'
import { databaseAddress, storeAddress } from '../open-cluster.ts'
import { ofStore, storeFault } from '../store/of-store.ts'
import { openStore } from '../store/open-store.ts'
import { openPulledCache } from '../store/pulled-cache.ts'
import { type SharedVideo, sharedStages } from '../store/shared-stages.ts'
import { locateSource, NotHere } from '../task/locate.ts'
import type { FailedAs, FromSlot, SlotOpening, SlotTask, TaskEnding, ToSlot } from '../task/messages.ts'
import { runStageTask, type Workshop } from '../task/run-stage.ts'

// The process of one slot: one job at a time, with what it has opened kept open. It ends with its supervisor, however that ends.

process.on('disconnect', () => process.exit(0))

// Where all processes of a service are ended at once, the supervisor decides; what breaks here then is not the job's fault.
let signalled = Number.NEGATIVE_INFINITY
const isEnding = () => performance.now() - signalled < 10_000
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const)
  process.on(signal, () => {
    signalled = performance.now()
  })

const closing = new AbortController()
let stop = new AbortController()
let opening: SlotOpening | undefined
let workshop: ReturnType<typeof openWorkshop> | undefined

process.on('message', (message: ToSlot) => {
  if (message.type === 'open') {
    opening = message.opening
    opened().catch(() => {}) // the first job says why
  } else if (message.type === 'stop') stop.abort(new Error('The worker stops this job.'))
  else void runTask(message.task)
})

// Where the database or the store was away, or refuses this machine, the next job tries again.
function opened(): ReturnType<typeof openWorkshop> {
  if (!opening) throw new Error('A job came before the settings.')
  workshop ??= openWorkshop(opening, { signal: closing.signal, say, count }).catch(error => {
    workshop = undefined
    throw error
  })
  return workshop
}

async function runTask(task: SlotTask): Promise<void> {
  stop = new AbortController()
  const { signal } = stop
  let ending: TaskEnding
  try {
    ending = await (await storeFault(opened())).run(task, progress(), signal)
  } catch (error) {
    ending = signal.aborted || isEnding() ? { kind: 'stopped' } : failed(error)
  }
  tell({ type: 'ended', ending, megabytes: process.memoryUsage.rss() / 1e6 })
}

const often = 1000 // milliseconds between two reports

function progress() {
  let last = 0
  return (text: string, done: number, total: number) => {
    const now = performance.now()
    if (now - last < often) return
    last = now
    tell({ type: 'progress', text, done, total })
  }
}

function failed(thrown: unknown): TaskEnding {
  const error = thrown instanceof LongtakeError ? thrown : (resourceFault(thrown) ?? thrown)
  if (!(error instanceof LongtakeError))
    return {
      kind: 'failed',
      as: 'error',
      message: error instanceof Error ? (error.stack ?? errorText(error)) : errorText(error),
    }
  return { kind: 'failed', as: classifyError(error), message: inOneLine(error) }
}

function classifyError(error: LongtakeError): FailedAs {
  if (error instanceof BackendError) return error.retryable ? 'retryable' : 'backend'
  if (error instanceof StorageError) return 'storage'
  return error instanceof InputError || error instanceof UsageError ? 'input' : 'error'
}

function tell(message: FromSlot): void {
  process.send?.(message, () => {}) // that nobody hears it is told by the end of the channel
}

function count(counted: Counted): void {
  tell({ type: 'counted', counted })
}

function say(line: string): void {
  tell({ type: 'said', line })
}

const connections = 2 // of one slot
const patience = 600 // seconds that what is made waits for a database that is away

interface WorkshopParts {
  signal: AbortSignal
  say(line: string): void
  count(counted: Counted): void
}

// What a child keeps open from one job to the next: the database, the store and its models.
async function openWorkshop({ home, settings }: SlotOpening, { signal, say, count }: WorkshopParts) {
  const { env: environment } = process
  const library = openLibrary(home)
  const sql = await openDatabase(databaseAddress(settings.cluster), {
    environment,
    connections,
    signal,
    patience,
    opening: 5,
  })
  const waited = (server: string, seconds: number) => count({ what: 'wait', server, seconds })
  const turns = sharedTurns({ sql, limits: settings.cluster.limits, say, waited })
  const host = buildHost({ home, environment, signal, say, turns })
  const store = ofStore(await openStore(storeAddress(settings.cluster), environment))
  const cache = openPulledCache(library, settings.cluster.cache)
  const { roots } = settings.cluster
  const models = warmModels((frozen, careful) => modelsHere(frozen, settings.models, host, careful, settings.prices))

  const used = new Set<Promise<SharedVideo>>() // by the job that runs

  const shopFor = (signal: AbortSignal): Workshop => ({
    sql,
    library,
    own: settings,
    models,
    shared(video, attempt) {
      const stages = sharedStages({ sql, store, cache, video, attempt, signal, say, count })
      used.add(stages)
      return stages
    },
    locate: video => locateSource({ sql, store, cache, roots, environment, signal, count }, video),
  })
  const locate = async (id: string, signal: AbortSignal) =>
    shopFor(signal).locate((await readFrozenVideo(sql, id)).video, signal)
  const asking = once(async () => {
    const { openAsker } = await import('../bench/run-shard.ts')
    const shared = (video: Video) => shopFor(signal).shared(video)
    return openAsker({ home, environment, own: settings, database: sql, store, shared, turns, locate, say })
  })
  const making = once(async () => {
    const { openMaker } = await import('../make/make-slot.ts')
    return openMaker({ home, own: settings, host, database: sql, store, locate })
  })
  return {
    async run(
      task: SlotTask,
      progress: (text: string, done: number, total: number) => void,
      signal: AbortSignal,
    ): Promise<TaskEnding> {
      try {
        const { job, attempt } = task
        if (job.kind === 'stage') {
          const watch: Watch = event => {
            if (event.type === 'note') say(event.text)
            if (event.type === 'stage' && event.state === 'running')
              progress(event.stage, event.done ?? 0, event.total ?? 0)
          }
          return await runStageTask(job, task, shopFor(signal), watch, signal)
        }
        if (job.kind === 'ask') return await (await asking()).run(job, { attempt, progress, signal })
        if (job.kind === 'make') return await (await making()).run(job, { progress, signal })
        const { runLibrary } = await import('../library/run-library.ts')
        return await runLibrary(sql, job, attempt, shopFor(signal))
      } catch (error) {
        if (error instanceof NotHere) return { kind: 'refused', why: error.message, ofVideo: true }
        throw error
      } finally {
        for (const stages of used) await (await stages.catch(() => undefined))?.done()
        used.clear()
      }
    },
  }
}

const maxWarm = 2 // sets of models that stay open

function warmModels(open: (frozen: FrozenIndex, careful: boolean) => Promise<Models>): Workshop['models'] {
  const warm = new Map<string, Promise<Models>>()
  return async (frozen, careful) => {
    const name = contentHash({ models: frozen.models, careful })
    const openModels = warm.get(name) ?? open(frozen, careful)
    warm.delete(name)
    warm.set(name, openModels) // the one used last is the last to go
    for (const [oldest, models] of warm) {
      if (warm.size <= maxWarm) break
      warm.delete(oldest)
      await (await models.catch(() => undefined))?.close()
    }
    return openModels
  }
}
