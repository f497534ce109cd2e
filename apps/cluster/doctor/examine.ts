import type { ClusterSettings } from '../../../src/config/cluster-settings.ts'
import { errorText, LongtakeError } from '../../../src/core/errors.ts'
import { openDatabase } from '../data/database.ts'
import { shownAddress } from '../data/database-address.ts'
import { checkSchema, schemaNeeded } from '../data/schema/index.ts'
import { openPgBoss } from '../engine/pg-boss.ts'
import { databaseAddress, storeAddress } from '../open-cluster.ts'
import { openStore } from '../store/open-store.ts'
import { refuseUnmarked } from '../store/store-mark.ts'
import { tryStore } from '../store/try-store.ts'
import { type DatabaseCheck, databaseChecks, recallCheck } from './database-checks.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface ClusterCheck {
  what: string
  state: 'ready' | 'missing' | 'limited' // limited: works, with less
  detail: string
  mend?: string
}

export interface ClusterDoctor {
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
