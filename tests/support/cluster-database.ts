import { openDatabase } from '../../apps/cluster/data/database.ts'
import { migrate } from '../../apps/cluster/data/schema/index.ts'
import type { Database } from '../../apps/cluster/data/sql.ts'
import type { Engine } from '../../apps/cluster/engine/engine.ts'
import { type EngineOptions, openPgBoss } from '../../apps/cluster/engine/pg-boss.ts'
import { freshDatabase } from './postgres.ts'

export interface TestCluster {
  address: string
  database: Database
  engine: Engine
  close(): Promise<void>
}

// A database of its own with all tables, as `cluster init` makes them, and an engine that has begun.
export async function testCluster(options: EngineOptions = {}): Promise<TestCluster> {
  const address = await freshDatabase()
  const database = await openDatabase(address)
  await migrate(database)
  const engine = await openPgBoss(database, { heartbeat: 10, monitor: 5, installs: true, ...options })
  await engine.start()
  const close = async () => {
    await engine.stop()
    await database.close()
  }
  return { address, database, engine, close }
}
