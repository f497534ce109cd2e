import { once } from '../../../src/core/basics/once.ts'
import { contentHash } from '../../../src/core/json.ts'
import { type FrozenIndex, modelsHere } from '../../../src/runtime/index/frozen-index.ts'
import { buildHost } from '../../../src/runtime/models/host.ts'
import type { Models } from '../../../src/runtime/models/models.ts'
import { openLibrary } from '../../../src/store/library/library.ts'
import { openDatabase } from '../data/database.ts'
import { readFrozenVideo } from '../jobs/known-video.ts'
import { sharedTurns } from '../limits/shared-turns.ts'
import type { Counted } from '../observe/counters.ts'
import { databaseAddress, storeAddress } from '../open-cluster.ts'
import { ofStore } from '../store/of-store.ts'
import { openStore } from '../store/open-store.ts'
import { openPulledCache } from '../store/pulled-cache.ts'
import { sharedStages } from '../store/shared-stages.ts'
import { locateSource, NotHere } from '../task/locate.ts'
import type { SlotOpening, SlotTask, TaskEnding } from '../task/messages.ts'
import { runStageTask, type Workshop } from '../task/run-stage.ts'

const connections = 2 // of one slot
const patience = 600 // seconds that what is made waits for a database that is away

interface WorkshopParts {
  signal: AbortSignal
  say(line: string): void
  count(counted: Counted): void
}

// What a child keeps open from one job to the next: the database, the store and its models.
export async function openWorkshop({ home, settings }: SlotOpening, { signal, say, count }: WorkshopParts) {
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

  const shopFor = (signal: AbortSignal): Workshop => ({
    library,
    own: settings,
    models,
    shared: (video, attempt) => sharedStages({ sql, store, cache, video, attempt, signal, say, count }),
    locate: video => locateSource({ sql, store, cache, roots, environment, signal, count }, video),
  })
  const asking = once(async () => {
    const { openQuestions } = await import('../bench/questions-slot.ts')
    return openQuestions({ home, environment, own: settings, database: sql, store, cache, say, count })
  })
  const making = once(async () => {
    const { openMaker } = await import('../make/make-slot.ts')
    return openMaker({
      home,
      own: settings,
      host,
      database: sql,
      store,
      locate: async (id, signal) => shopFor(signal).locate((await readFrozenVideo(sql, id)).video, signal),
    })
  })
  return {
    async run(
      task: SlotTask,
      progress: (text: string, done: number, total: number) => void,
      signal: AbortSignal,
    ): Promise<TaskEnding> {
      try {
        if (task.kind === 'stage')
          return await runStageTask(
            task,
            shopFor(signal),
            event => {
              if (event.type === 'note') say(event.text)
              if (event.type === 'stage' && event.state === 'running')
                progress(event.stage, event.done ?? 0, event.total ?? 0)
            },
            signal,
          )
        const { job, attempt } = task
        if (job.kind === 'ask') return await (await asking()).run(job, { attempt, progress, signal })
        if (job.kind === 'make') return await (await making()).run(job, { progress, signal })
        const { runLibrary } = await import('../library/run-library.ts')
        return await runLibrary(sql, job, attempt, shopFor(signal))
      } catch (error) {
        if (error instanceof NotHere) return { kind: 'refused', why: error.message, ofVideo: true }
        throw error
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
