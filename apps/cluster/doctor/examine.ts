import { setTimeout as sleep } from 'node:timers/promises'
import type { ClusterSettings } from '../../../src/config/cluster-settings.ts'
import { errorText, LongtakeError } from '../../../src/core/errors.ts'
import { openDatabase } from '../data/database.ts'
import { shownAddress } from '../data/database-address.ts'
import { checkSchema, schemaFound, schemaNeeded } from '../data/schema/index.ts'
import { serverVersion } from '../data/server-version.ts'
import type { Database } from '../data/sql.ts'
import { openPgBoss } from '../engine/pg-boss.ts'
import { databaseAddress, storeAddress } from '../open-cluster.ts'
import { refuseUnmarked, tryStore } from '../store/check-store.ts'
import { openStore } from '../store/open-store.ts'

type Environment = Readonly<Record<string, string | undefined>>

interface Finding {
  state: 'ready' | 'missing' | 'limited' // limited: works, with less
  detail: string
  mend?: string
}

interface ClusterCheck extends Finding {
  what: string
}

interface ClusterDoctor {
  healthy: boolean
  checks: ClusterCheck[]
}

// What a cluster needs here, each tried; one that fails does not keep the others from being tried.
export async function examineCluster(settings: ClusterSettings, environment: Environment): Promise<ClusterDoctor> {
  const checks: ClusterCheck[] = []
  const check = async (what: string, look: () => Promise<Finding | undefined>): Promise<void> => {
    const finding = await look().catch(asFinding('missing'))
    if (finding) checks.push({ what, ...finding })
  }
  let database = undefined as Database | undefined
  await check('database', async () => {
    const address = databaseAddress(settings)
    database = await openDatabase(address, { environment, patience: 2 })
    return { state: 'ready', detail: shownAddress(address) }
  })
  try {
    for (const [what, look] of Object.entries(database ? databaseChecks : {})) await check(what, () => look(database!))
  } finally {
    await database?.close()
  }
  await check('store', async () => {
    const store = await openStore(storeAddress(settings), environment)
    const seconds = await tryStore(store)
    await refuseUnmarked(store)
    const took = `${(seconds * 1000).toFixed(0)} ms`
    return { state: 'ready', detail: `${store.address}: written, read and removed in ${took}` }
  })
  return { healthy: checks.every(({ state }) => state !== 'missing'), checks }
}

function asFinding(state: Finding['state']) {
  return (error: unknown): Finding => ({
    state,
    detail: errorText(error),
    ...(error instanceof LongtakeError && error.hint !== undefined && { mend: error.hint }),
  })
}

const databaseChecks: Readonly<Record<string, (database: Database) => Promise<Finding | undefined>>> = {
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

  async schema(database) {
    await checkSchema(database)
    return { state: 'ready', detail: `version ${schemaNeeded}` }
  },

  recall: database => measuredRecall(database).catch(asFinding('limited')),

  async queue(database) {
    const engine = await openPgBoss(database)
    await engine.start()
    await engine.stop()
    return { state: 'ready', detail: 'started and stopped' }
  },
}

// On the library's own vectors; undefined if there are none, or no tables.
async function measuredRecall(database: Database): Promise<Finding | undefined> {
  if ((await schemaFound(database)) !== schemaNeeded) return undefined
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

async function extension(database: Database, name: string, without: string): Promise<Finding> {
  const { rows } = await database.query<{ installed: string | null; available: string }>(
    'select installed_version as installed, default_version as available from pg_available_extensions where name = $1',
    [name],
  )
  const [found] = rows
  if (found?.installed) return { state: 'ready', detail: found.installed }
  const mend = found ? `In the database: create extension ${name}` : `Install ${name} on the machine of the database.`
  return { state: 'limited', detail: `not there, so ${without}`, mend }
}
