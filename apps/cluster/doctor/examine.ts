import { setTimeout as sleep } from 'node:timers/promises'
import type { ClusterSettings } from '../../../src/config/cluster-settings.ts'
import { errorText, LongtakeError } from '../../../src/core/errors.ts'
import { openDatabase } from '../data/database.ts'
import { shownAddress } from '../data/database-address.ts'
import { checkSchema, schemaNeeded } from '../data/schema/index.ts'
import { serverVersion } from '../data/server-version.ts'
import type { Database } from '../data/sql.ts'
import { openPgBoss } from '../engine/pg-boss.ts'
import { databaseAddress, storeAddress } from '../open-cluster.ts'
import { refuseUnmarked, tryStore } from '../store/check-store.ts'
import { openStore } from '../store/open-store.ts'

type Environment = Readonly<Record<string, string | undefined>>

interface ClusterCheck {
  what: string
  state: 'ready' | 'missing' | 'limited' // limited: works, with less
  detail: string
  mend?: string
}

interface ClusterDoctor {
  healthy: boolean
  checks: ClusterCheck[]
}

// What a cluster needs here, each tried; one that fails does not keep the others from being tried.
export async function examineCluster(settings: ClusterSettings, environment: Environment): Promise<ClusterDoctor> {
  const checks: ClusterCheck[] = []
  const attempt = async <T>(
    what: string,
    work: () => Promise<{ detail: string; value: T }>,
  ): Promise<T | undefined> => {
    try {
      const { detail, value } = await work()
      checks.push({ what, state: 'ready', detail })
      return value
    } catch (error) {
      const mend = error instanceof LongtakeError ? error.hint : undefined
      checks.push({ what, state: 'missing', detail: errorText(error), mend })
      return undefined
    }
  }
  const database = await attempt('database', async () => {
    const address = databaseAddress(settings)
    return { detail: shownAddress(address), value: await openDatabase(address, { environment, patience: 2 }) }
  })
  if (database)
    try {
      for (const [what, check] of Object.entries(databaseChecks))
        checks.push(await settled(what, () => check(database)))
      const schema = await attempt('schema', async () => {
        await checkSchema(database)
        return { detail: `version ${schemaNeeded}`, value: schemaNeeded }
      })
      const recall =
        schema === undefined
          ? undefined
          : await recallCheck(database).catch(error => ({ state: 'limited' as const, detail: errorText(error) }))
      if (recall) checks.push({ what: 'recall', ...recall })
      await attempt('queue', async () => {
        const engine = await openPgBoss(database)
        await engine.start()
        await engine.stop()
        return { detail: 'started and stopped', value: undefined }
      })
    } finally {
      await database.close()
    }
  await attempt('store', async () => {
    const store = await openStore(storeAddress(settings), environment)
    const seconds = await tryStore(store)
    await refuseUnmarked(store)
    return {
      detail: `${store.address}: written, read and removed in ${(seconds * 1000).toFixed(0)} ms`,
      value: undefined,
    }
  })
  return { healthy: checks.every(({ state }) => state !== 'missing'), checks }
}

async function settled(what: string, check: () => ReturnType<DatabaseCheck>): Promise<ClusterCheck> {
  try {
    return { what, ...(await check()) }
  } catch (error) {
    return { what, state: 'missing', detail: errorText(error) }
  }
}

type DatabaseCheck = (
  database: Database,
) => Promise<{ state: 'ready' | 'missing' | 'limited'; detail: string; mend?: string }>

const databaseChecks: Readonly<Record<string, DatabaseCheck>> = {
  async version(database) {
    const { name, unfit } = await serverVersion(database)
    return unfit === undefined ? { state: 'ready', detail: name } : { state: 'missing', detail: name, mend: unfit }
  },

  async latency(database) {
    const times: number[] = []
    for (let turn = 0; turn < 20; turn++) {
      const began = performance.now()
      await database.query('select 1')
      times.push(performance.now() - began)
    }
    const median = times.sort((a, b) => a - b)[10] ?? 0
    const detail = `${median.toFixed(1)} ms for a question and its answer, the median of 20`
    return { state: median < 50 ? 'ready' : 'limited', detail }
  },

  // Nothing goes by it; it only shows in times that are compared by eye.
  async clock(database) {
    const began = Date.now()
    const { rows } = await database.query<{ now: Date }>('select clock_timestamp() as now')
    const there = rows[0]?.now.getTime() ?? 0
    const seconds = ((began + Date.now()) / 2 - there) / 1000
    const detail =
      Math.abs(seconds) < 1
        ? 'agrees with that of the database'
        : `${Math.abs(seconds).toFixed(0)} s ${seconds > 0 ? 'ahead of' : 'behind'} that of the database, which counts`
    return { state: 'ready', detail }
  },

  async listen(database) {
    let arrived: number | undefined
    const word = `doctor ${Math.random()}`
    const stop = await database.listen(heard => {
      if (heard === word) arrived ??= performance.now()
    })
    const began = performance.now()
    await database.notify(word)
    while (arrived === undefined && performance.now() - began < 2000) await sleep(5)
    await stop()
    if (arrived !== undefined)
      return { state: 'ready', detail: `a word arrives after ${(arrived - began).toFixed(1)} ms` }
    return {
      state: 'limited',
      detail: 'no word arrives, so workers only poll; that is so behind PgBouncer in transaction mode',
    }
  },

  pgvector: database =>
    extension(database, 'vector', 'a library-wide search finds by words only, not by meaning or picture'),

  pg_trgm: database => extension(database, 'pg_trgm', 'misread words are not found in a library-wide search'),
}

// On the library's own vectors; undefined if there are none.
async function recallCheck(database: Database): Promise<Awaited<ReturnType<DatabaseCheck>> | undefined> {
  const { measureRecall } = await import('../library/recall.ts')
  const measured = await measureRecall(database)
  const [worst] = [...(measured ?? [])].filter(({ shots }) => shots > 0).sort((a, b) => a.recall - b.recall)
  if (!worst) return undefined
  const { recall, queries, shots, by } = worst
  return {
    state: recall >= 0.95 ? 'ready' : 'limited',
    detail: `${recall.toFixed(2)} of the 20 nearest are found (${queries} queries over ${shots} shots by ${by})`,
  }
}

async function extension(database: Database, name: string, without: string): ReturnType<DatabaseCheck> {
  const { rows } = await database.query<{ installed: string | null; available: string }>(
    'select installed_version as installed, default_version as available from pg_available_extensions where name = $1',
    [name],
  )
  const [found] = rows
  if (found?.installed) return { state: 'ready', detail: found.installed }
  const mend = found ? `In the database: create extension ${name}` : `Install ${name} on the machine of the database.`
  return { state: 'limited', detail: `not there, so ${without}`, mend }
}
