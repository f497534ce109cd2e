import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { addArtifact } from '../../apps/cluster/data/catalogue/artifacts.ts'
import { openDatabase } from '../../apps/cluster/data/database.ts'
import type { NewJob } from '../../apps/cluster/engine/engine.ts'
import { openPgBoss } from '../../apps/cluster/engine/pg-boss.ts'
import { openQueue } from '../../apps/cluster/open-cluster.ts'
import { initCluster } from '../../apps/cluster/setup/init.ts'
import { type TestCluster, testCluster } from '../support/cluster-database.ts'
import { readArtifacts } from '../support/cluster-rows.ts'
import { freshDatabase, program } from '../support/postgres.ts'

let cluster: TestCluster
afterEach(() => cluster.close())

const job = (queue: string): NewJob => ({
  ...{ id: randomUUID(), queue, priority: 100 },
  data: { kind: 'stage', video: 'v', stage: 'speech', key: 'k', config: 'c' },
})
const artifact = {
  ...{ video: 'v', stage: 'decode', key: 'k', attempt: 'a', object: 'o', bytes: 1, sha256: 'f', meta: {} },
}
const settings = (database: string) => ({
  ...{
    database,
    store: mkdtempSync(join(tmpdir(), 'longtake-store-')),
    roots: {},
    cache: '20%',
    limits: {},
    heartbeat: 60,
  },
})

// Acceptance: `drop schema pgboss cascade` in mid-run, `cluster init`, the same command.
test('a queue that is dropped in mid-run is made again by init, and those who were at work go on', async () => {
  cluster = await testCluster({ watches: true })
  const { engine, database, address } = cluster
  const [running, waiting] = [job('speech'), job('speech')]
  await addArtifact(database, artifact)
  await engine.send([running, waiting])
  const claimed = await engine.fetch(['speech'])
  await database.query('drop schema pgboss cascade')
  await expect(engine.fetch(['speech'])).rejects.toMatchObject({ retryable: true, hint: 'Run: longtake cluster init' })
  await expect(engine.touch(claimed!)).rejects.toMatchObject({ retryable: true })

  await initCluster(settings(address), {})
  expect(await engine.fetch(['speech'])).toBeUndefined()
  expect(await engine.touch(claimed!)).toBe(false) // its worker stops: it is planned again
  expect(await engine.settle(claimed!, { state: 'completed' })).toBe(false)
  expect((await engine.send([running, waiting])).sort()).toEqual([running.id, waiting.id].sort())
  const again = await engine.fetch(['speech'])
  expect(await engine.settle(again!, { state: 'completed' })).toBe(true)
  expect(await readArtifacts(database, 'v')).toHaveLength(1)
})

test('a database that is restored from a dump of mid-run goes on with what the dump had', async () => {
  cluster = await testCluster()
  const { engine, database, address } = cluster
  await addArtifact(database, artifact)
  await engine.send([job('speech'), job('speech')])
  const claimed = await engine.fetch(['speech'])
  const dump = run('pg_dump', ['--dbname', address])
  await engine.settle(claimed!, { state: 'completed' }) // after the backup: forgotten

  const restored = await freshDatabase()
  run('psql', ['--quiet', '--set', 'ON_ERROR_STOP=1', '--dbname', restored], dump)
  await initCluster(settings(restored), {})
  const queue = await openQueue(settings(restored), {}, { engine: { heartbeat: 10 } })
  expect(await readArtifacts(queue.database, 'v')).toHaveLength(1)
  expect(await queue.engine.counts()).toMatchObject([{ queue: 'speech', waiting: 1, running: 1 }])
  expect(await queue.engine.touch(claimed!)).toBe(true) // its worker is there still, and has the job
  expect(await queue.engine.settle(claimed!, { state: 'completed' })).toBe(true)
  expect(await queue.engine.fetch(['speech'])).toBeDefined()
  await queue.close()
})

test('init beside an older queue renews it, and a worker does not', async () => {
  cluster = await testCluster()
  await cluster.database.query('update pgboss.version set version = version - 1')
  const database = await openDatabase(cluster.address)
  const worker = await openPgBoss(database)
  await expect(worker.start()).rejects.toMatchObject({ exitCode: 2, hint: 'Run: longtake cluster init' })
  await database.close()
})

function run(name: string, words: readonly string[], input?: string): string {
  const ended = spawnSync(program(name), words, { input, encoding: 'utf8', maxBuffer: 100_000_000 })
  if (ended.status !== 0) throw new Error(`${name}: ${ended.stderr}`)
  return ended.stdout
}
