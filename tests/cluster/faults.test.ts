import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../apps/cluster/data/database.ts'
import { migrate } from '../../apps/cluster/data/schema/index.ts'
import type { Database } from '../../apps/cluster/data/sql.ts'
import type { Engine } from '../../apps/cluster/engine/engine.ts'
import { openPgBoss } from '../../apps/cluster/engine/pg-boss.ts'
import { planEitherWay } from '../../apps/cluster/jobs/plan-video.ts'
import { requestIndex } from '../../apps/cluster/jobs/request-index.ts'
import { openFolderStore } from '../../apps/cluster/store/folder-store.ts'
import { Config } from '../../src/config/schema.ts'
import type { Video } from '../../src/core/video.ts'
import { storedStage } from '../../src/core/words/stage-names.ts'
import { type FrozenIndex, type FrozenVideo, freezeIndex, planFrozen } from '../../src/runtime/index/frozen-index.ts'
import { buildHost } from '../../src/runtime/models/host.ts'
import { seeded } from '../servers/pieces.ts'
import { ownPostgres, type Postgres } from '../support/postgres.ts'
import { poisoned, resultOf } from './faults/fake-stages.ts'
import { bundleWorker, type FaultWorker, fakeClock, faultWorker, smallDisk } from './faults/fault-cluster.ts'

// 300 jobs on three workers while 20 of them are killed, one sleeps, one lives ten minutes ahead, the database dies and its disk fills.

const folder = mkdtempSync(join(tmpdir(), 'longtake-faults-'))
const place = (name: string) => join(folder, name)
const clock = fakeClock()
const random = seeded(7)
let postgres: Postgres
let disk: ReturnType<typeof smallDisk>
let database: Database
let engine: Engine
let frozen: FrozenIndex
let command: string[] = []
let workers: FaultWorker[] = []

const videoOf = (id: string): FrozenVideo => ({ video: { ...template, id, name: `${id}.mp4` }, files: {} })
const template: Omit<Video, 'id' | 'name'> = {
  ...{ path: '/videos/none.mp4', bytes: 1, container: 'mp4' },
  ...{ start: 0, duration: 60, otherSounds: [], sidecars: [], subtitles: [], notes: [] },
  picture: { index: 0, codec: 'h264', width: 320, height: 180, start: 0, rotation: 0, hdr: false },
  sound: { index: 1, codec: 'aac', channels: 1, sampleRate: 16_000, start: 0 },
}
const good = Array.from({ length: 34 }, (_, nth) => `v${String(nth).padStart(20, '0')}`)
const bad = `v${poisoned.video}`

beforeAll(async () => {
  chmodSync(folder, 0o755)
  for (const name of ['store', 'home']) mkdirSync(place(name))
  disk = smallDisk(place('disk'), 160)
  postgres = ownPostgres(place('pg'))
  const admin = await openDatabase(postgres.address())
  if (disk) await admin.query(`create tablespace small location '${place('disk')}'`)
  await admin.query(`create database faults ${disk ? 'tablespace small' : ''}`)
  await admin.close()
  database = await openDatabase(postgres.address('faults'), { patience: 30 })
  await migrate(database)
  const installer = await openPgBoss(database, { installs: true })
  await installer.start()
  await installer.stop()
  engine = await openPgBoss(database, { heartbeat: 10 })
  await engine.start()
  const host = buildHost({ home: place('home'), environment: {} })
  frozen = await freezeIndex(Config.parse({}), host)
  command = [await bundleWorker(folder), postgres.address('faults'), place('store'), place('home')]
  workers = [{}, {}, clock ?? {}].map(environment => faultWorker(command, environment))
})

afterAll(async () => {
  await Promise.all(workers.map(worker => worker.stop()))
  await engine?.stop()
  await database?.close()
  postgres?.remove()
  disk?.remove()
  rmSync(folder, { recursive: true, force: true })
})

// What one process alone would make, in the order of the plan.
async function serial(id: string): Promise<Map<string, string>> {
  const made = new Map<string, string>()
  const video = videoOf(id)
  for (;;) {
    const finished = (stage: string, key: string) => made.get(`${id} ${storedStage(stage)}`) === key
    const plans = await planFrozen(video, frozen, () => undefined)
    const { jobs } = planEitherWay(plans, { finished, failure: () => undefined })
    if (jobs.length === 0) return made
    for (const { planned, key } of jobs) made.set(`${id} ${storedStage(planned.stage)}`, key)
  }
}

async function untilOver(requests: readonly string[]): Promise<Record<string, string>> {
  for (;;) {
    const { rows } = await database.query<{ id: string; state: string }>(
      'select id::text as id, state from longtake.request where id::text = any ($1)',
      [requests],
    )
    if (rows.every(({ state }) => state !== 'open')) return Object.fromEntries(rows.map(({ id, state }) => [id, state]))
    await sleep(500)
  }
}

test('what was made once is there once, whatever was killed meanwhile', async () => {
  const expected = new Map((await Promise.all(good.map(serial))).flatMap(made => [...made]))
  expect(expected.size).toBeGreaterThanOrEqual(300)
  const videos = [...good, bad].map(videoOf)
  const ask = () => requestIndex(database, engine, { frozen, videos, priority: 'normal', by: 'test' })
  const requests = await Promise.all([ask(), ask()]) // two planners at once
  const began = performance.now()

  let paused: FaultWorker | undefined // it is to wake up with the job that it had
  const awake = (nth: number) => workers.filter(worker => worker !== paused)[nth % (paused ? 2 : 3)] as FaultWorker
  const faults = async () => {
    for (let kill = 0; kill < 20; kill++) {
      await sleep(300 + random() * 1400)
      awake(Math.floor(random() * workers.length)).kill()
      if (kill === 4) {
        postgres.kill()
        await sleep(1500)
        postgres.start()
      }
      if (kill === 9) {
        paused = workers[0]
        paused?.pause()
        setTimeout(() => {
          paused?.goOn()
          paused = undefined
        }, 14_000) // longer than its sign of life lasts
      }
      if (kill === 13 && disk) {
        disk.fill()
        await sleep(4000)
        disk.free()
      }
    }
  }
  const over = Promise.all([untilOver(requests), faults()])
  const [states] = await Promise.race([over, ...workers.map(worker => worker.fallen)])
  const seconds = (performance.now() - began) / 1000
  expect(Object.values(states)).toEqual(['partial', 'partial']) // but for the poisoned one
  expect(await Promise.all(workers.map(worker => worker.stop()))).toEqual([0, 0, 0])

  const { rows } = await database.query<{ video: string; stage: string; key: string; object: string }>(
    'select video, stage, key, object from longtake.artifact',
  )
  const found = new Map(
    rows.filter(({ video }) => video !== bad).map(({ video, stage, key }) => [`${video} ${stage}`, key]),
  )
  expect(found).toEqual(expected)
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  for (const { video, stage, key, object } of rows)
    expect(hash(readFileSync(join(place('store'), object))), object).toBe(hash(resultOf(video, stage, key)))

  const failures = await database.query('select video, stage, kind from longtake.failure')
  expect(failures.rows).toEqual([{ video: bad, stage: poisoned.stage, kind: 'poison' }])
  const following = await database.query<{ video: string }>(
    `select distinct data ->> 'video' as video from pgboss.job where data ->> 'kind' = 'library'`,
  )
  expect(following.rows.map(({ video }) => video).sort()).toEqual([...good].sort()) // not what has failed
  const twice = await database.query(
    `select job from longtake.attempt where kind = 'completed' group by job having count(*) > 1`,
  )
  expect(twice.rows).toEqual([])
  const active = await database.query(`select name, id from pgboss.job where state = 'active'`)
  expect(active.rows).toEqual([])
  const open = await database.query('select job, n from longtake.attempt where ended is null')
  expect(open.rows).toEqual([])
  const kinds = await database.query<{ kind: string; n: number }>(
    'select kind, count(*)::integer as n from longtake.attempt group by kind order by kind',
  )
  console.log(
    `${expected.size} results in ${seconds.toFixed(0)} s: ${kinds.rows.map(({ kind, n }) => `${kind} ${n}`).join(', ')}`,
  )

  const store = openFolderStore(place('store'))
  for await (const unfinished of store.unfinished()) await unfinished.remove()
  for await (const { name } of store.unfinished()) expect(name).toBe('')
})

// The table of workers is emptied, so that the first row of it needs a page that the full disk does not have.
test('a worker that starts while the disk of the database is full waits until there is space', async ({ skip }) => {
  if (!disk) return skip('this user may mount no small disk')
  await database.query('truncate longtake.worker')
  disk.fill()
  const worker = faultWorker(command)
  const untilSeen = async () => {
    while ((await database.query('select 1 from longtake.worker')).rows.length === 0) await sleep(200)
  }
  while (!worker.said().includes('Waits:')) await Promise.race([sleep(100), worker.fallen])
  expect(worker.said()).toMatch(/Waits: The database of the cluster at .* has no space left: .*\.\n/)
  disk.free()
  await Promise.race([untilSeen(), worker.fallen])
  expect(await worker.stop()).toBe(0)
})

test.skipIf(clock)(
  'a worker whose clock is wrong: libfaketime is not here (scripts/setup.sh --tests brings it)',
  () => {},
)
