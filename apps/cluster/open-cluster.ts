import type { ClusterSettings } from '../../src/config/cluster-settings.ts'
import { UsageError } from '../../src/core/errors.ts'
import { openDatabase } from './data/database.ts'
import { checkSchema } from './data/schema/index.ts'
import type { Database } from './data/sql.ts'
import type { Engine } from './engine/engine.ts'
import { type EngineOptions, openPgBoss } from './engine/pg-boss.ts'
import type { ArtifactStore } from './store/artifact-store.ts'
import { openStore } from './store/open-store.ts'

export interface Queue {
  database: Database
  engine: Engine
  close(): Promise<void>
}

export interface Cluster extends Queue {
  store: ArtifactStore
  settings: ClusterSettings
}

interface ClusterOptions {
  patience?: number // seconds that a database which is away is waited for
  opening?: number // the same for its first answer
  engine?: EngineOptions
  signal?: AbortSignal
}

type Environment = Readonly<Record<string, string | undefined>>

// Whether there is one at all. Whoever has none loads and opens nothing.
export function hasCluster(settings: ClusterSettings): boolean {
  return settings.database !== undefined
}

// The database with the schema that this longtake knows, the queue on it, and the store.
export async function openCluster(
  settings: ClusterSettings,
  environment: Environment,
  options: ClusterOptions = {},
): Promise<Cluster> {
  const store = await openStore(storeAddress(settings), environment)
  return { ...(await openQueue(settings, environment, options)), store, settings }
}

// For who looks and steers: without the store.
export async function openQueue(
  settings: ClusterSettings,
  environment: Environment,
  { patience, opening, engine: engineOptions, signal }: ClusterOptions = {},
): Promise<Queue> {
  const database = await openDatabase(databaseAddress(settings), { environment, patience, opening, signal })
  try {
    await checkSchema(database)
    const engine = await openPgBoss(database, { heartbeat: settings.heartbeat, ...engineOptions })
    await engine.start()
    const close = async () => {
      await engine.stop()
      await database.close()
    }
    return { database, engine, close }
  } catch (error) {
    await database.close()
    throw error
  }
}

export function databaseAddress({ database }: ClusterSettings): string {
  if (database !== undefined) return database
  throw new UsageError('There is no cluster: its database is not set.', {
    hint: 'Set LONGTAKE_CLUSTER (cluster.database) to postgres://USER:PASSWORD@HOST/DATABASE; see docs/cluster/README.md.',
  })
}

export function storeAddress({ store }: ClusterSettings): string {
  if (store !== undefined) return store
  throw new UsageError('The cluster has no store for results.', {
    hint: 'Set LONGTAKE_STORE (cluster.store) to a folder that all machines see, or to s3://BUCKET/PREFIX.',
  })
}
