import type { ClusterSettings } from '../../../src/config/cluster-settings.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { openDatabase } from '../data/database.ts'
import { isDatabaseHere, shownAddress } from '../data/database-address.ts'
import { migrate, schemaNeeded } from '../data/schema/index.ts'
import { serverVersion } from '../data/server-version.ts'
import { openPgBoss } from '../engine/pg-boss.ts'
import { addExtensions } from '../library/shot-table.ts'
import { databaseAddress, storeAddress } from '../open-cluster.ts'
import { markStore, tryStore } from '../store/check-store.ts'
import { openStore } from '../store/open-store.ts'

type Environment = Readonly<Record<string, string | undefined>>

interface InitReport {
  database: string
  schema: number
  migrations: number[] // those that were run now
  store: string
  storeSeconds: number // of a write, a read and a removal
  missing: string[] // what works less without it, and how to get it
  join: string // what another machine sets
}

// Makes what is missing in the database and tries the store. Running it again changes nothing that is there.
export async function initCluster(settings: ClusterSettings, environment: Environment): Promise<InitReport> {
  const address = databaseAddress(settings)
  const store = await openStore(storeAddress(settings), environment)
  const database = await openDatabase(address, { environment, answer: 600 })
  try {
    const { name, unfit } = await serverVersion(database)
    if (unfit !== undefined)
      throw new UsageError(`The database at ${shownAddress(address)} is ${name}, which no cluster can use.`, {
        hint: unfit,
      })
    const migrations = await migrate(database)
    const engine = await openPgBoss(database, { heartbeat: settings.heartbeat, installs: true })
    await engine.start()
    await engine.stop()
    const storeSeconds = await tryStore(store)
    await markStore(store)
    return {
      database: shownAddress(address),
      schema: schemaNeeded,
      migrations,
      store: store.address,
      storeSeconds,
      missing: [...(await addExtensions(database)), ...localOnly(address)],
      join: `export LONGTAKE_CLUSTER='${withoutPassword(address)}' LONGTAKE_STORE='${store.address}'`,
    }
  } finally {
    await database.close()
  }
}

function localOnly(address: string): string[] {
  if (!isDatabaseHere(address)) return []
  return [
    `Other machines cannot reach the database as ${shownAddress(address)}: there, write the name of this machine.`,
  ]
}

function withoutPassword(address: string): string {
  return address.replace(/^(\w+:\/\/[^:/@]*):.*@/, '$1:PASSWORD@').replace(/([?&]password=)[^&]*/, '$1PASSWORD')
}
