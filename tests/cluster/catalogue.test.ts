import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Artifact,
  addArtifact,
  findArtifact,
  knownObjects,
  removeArtifact,
} from '../../apps/cluster/data/catalogue/artifacts.ts'
import {
  attemptCounts,
  beginAttempt,
  endAttempt,
  endLostAttempts,
  readStageProgress,
  removeProgress,
  saveProgress,
} from '../../apps/cluster/data/catalogue/attempts.ts'
import { addFailure, allFailures, forgiveFailures, readFailures } from '../../apps/cluster/data/catalogue/failures.ts'
import { lockVideo, tryAdvisoryLock } from '../../apps/cluster/data/catalogue/locks.ts'
import {
  addRequest,
  findRequest,
  readWants,
  requests,
  requestsFor,
  requestsLike,
  setWant,
  wantedVideos,
} from '../../apps/cluster/data/catalogue/requests.ts'
import {
  addConfig,
  addNeeds,
  addSource,
  allNeeds,
  findConfig,
  insertVideo,
  readVideoSources,
  selectVideo,
} from '../../apps/cluster/data/catalogue/videos.ts'
import {
  addWorker,
  drainWorker,
  leaveWorker,
  seeWorker,
  sweepWorkers,
  workers,
} from '../../apps/cluster/data/catalogue/workers.ts'
import type { Sql } from '../../apps/cluster/data/sql.ts'
import { advance, reconcile } from '../../apps/cluster/jobs/advance.ts'
import { afterIndex } from '../../apps/cluster/jobs/after-index.ts'
import { cancelRequest } from '../../apps/cluster/jobs/cancel-request.ts'
import { readCatalogue } from '../../apps/cluster/jobs/plan-from-rows.ts'
import { clusterStatus } from '../../apps/cluster/status/gather.ts'
import { Config } from '../../src/config/schema.ts'
import { freezeIndex } from '../../src/runtime/index/frozen-index.ts'
import { buildHost } from '../../src/runtime/models/host.ts'
import { type TestCluster, testCluster } from '../support/cluster-database.ts'
import { readArtifacts, readAttempts } from '../support/cluster-rows.ts'
import { someVideo } from '../support/shared-library.ts'

let cluster: TestCluster
let sql: Sql
beforeAll(async () => {
  cluster = await testCluster()
  sql = cluster.database
})
afterAll(() => cluster.close())

const artifact = (more: Partial<Artifact> = {}): Artifact => ({
  ...{ video: 'v1', stage: 'speech', key: 'k1', attempt: 'a1', object: 'results/v1/speech/k1-a1.tar' },
  ...{ bytes: 5_000_000_000, sha256: 'f00d', meta: { b: 1, a: 2 }, ...more },
})

describe('results', () => {
  test('the first attempt of a result counts, and only that one can be removed', async () => {
    expect(await addArtifact(sql, artifact())).toBe(true)
    expect(await addArtifact(sql, artifact())).toBe(true) // said again after a broken connection
    expect(await addArtifact(sql, artifact({ attempt: 'a2', object: 'other' }))).toBe(false)
    expect(await findArtifact(sql, artifact())).toEqual(artifact())
    expect(await readArtifacts(sql, 'v1')).toHaveLength(1)
    expect([...(await knownObjects(sql, [artifact().object, 'other']))]).toEqual([artifact().object])
    expect(await removeArtifact(sql, artifact({ attempt: 'a2' }))).toBe(false)
    expect(await removeArtifact(sql, artifact())).toBe(true)
    expect(await findArtifact(sql, artifact())).toBeUndefined()
  })

  test('two who plan for one video come one after the other', async () => {
    const order: string[] = []
    const one = cluster.database.transaction(async held => {
      await lockVideo(held, 'v1')
      order.push('one')
      await new Promise(resolve => setTimeout(resolve, 200))
      order.push('one ends')
    })
    await new Promise(resolve => setTimeout(resolve, 50))
    const two = cluster.database.transaction(async held => {
      await lockVideo(held, 'v1')
      order.push('two')
    })
    await Promise.all([one, two])
    expect(order).toEqual(['one', 'one ends', 'two'])
  })

  test('a task that somebody does is not done by another', async () => {
    await cluster.database.transaction(async held => {
      expect(await tryAdvisoryLock(held, 'reconcile')).toBe(true)
      expect(await cluster.database.transaction(other => tryAdvisoryLock(other, 'reconcile'))).toBe(false)
    })
    expect(await cluster.database.transaction(other => tryAdvisoryLock(other, 'reconcile'))).toBe(true)
  })
})

test('a video is known once, with what was learned of it and where it lies', async () => {
  await insertVideo(sql, { id: 'v2', name: 'talk.mp4', bytes: 3_000_000_000 })
  await insertVideo(sql, { id: 'v2', name: 'copy.mp4', bytes: 3_000_000_000, duration: 60, probe: { streams: [] } })
  expect(await selectVideo(sql, 'v2')).toEqual({
    ...{ id: 'v2', name: 'talk.mp4', bytes: 3_000_000_000, duration: 60, probe: { streams: [] } },
  })
  await addSource(sql, 'v2', { root: 'talks', path: '2026/talk.mp4' })
  await addSource(sql, 'v2', { root: 'talks', path: '2026/talk.mp4' })
  await addSource(sql, 'v2', { object: 'sources/v2' })
  expect(await readVideoSources(sql, 'v2')).toEqual([
    { object: 'sources/v2' },
    { root: 'talks', path: '2026/talk.mp4' },
  ])
  expect([...(await knownObjects(sql, ['sources/v2', 'sources/v3']))]).toEqual(['sources/v2'])
  expect(await selectVideo(sql, 'none')).toBeUndefined()
  await addConfig(sql, 'c1', { models: {} })
  await addConfig(sql, 'c1', { models: {} })
  expect(await findConfig(sql, 'c1')).toEqual({ models: {} })
  const need = { queue: 'q', stage: 'speech', backend: 'whisper', version: '1', resource: 'gpu' } as const
  await addNeeds(sql, [need, need])
  expect(await allNeeds(sql)).toEqual([need])
})

describe('requests', () => {
  test('a request ends with its last video: partial where one failed', async () => {
    const id = randomUUID()
    await addRequest(sql, { id, kind: 'index', priority: 1, videos: ['r1', 'r2'], by: 'ada' })
    await addRequest(sql, { id, kind: 'index', priority: 1, videos: ['r1', 'r2'] })
    expect(await findRequest(sql, id)).toMatchObject({ state: 'open', total: 2, done: 0, by: 'ada' })
    expect(await requestsLike(sql, id.slice(0, 6))).toMatchObject([{ id }])
    expect(await wantedVideos(sql)).toEqual(['r1', 'r2'])
    await setWant(sql, id, { video: 'r1', state: 'done' })
    expect(await findRequest(sql, id)).toMatchObject({ state: 'open', done: 1 })
    expect(await requestsFor(sql, 'r1')).toEqual([])
    expect(await requestsFor(sql, 'r2')).toMatchObject([{ id }])
    await setWant(sql, id, { video: 'r2', state: 'failed', note: 'decode: moov atom not found' })
    const ended = await findRequest(sql, id)
    expect(ended).toMatchObject({ state: 'partial', done: 1 })
    expect(ended?.ended).toBeInstanceOf(Date)
    expect(await readWants(sql, id)).toEqual([
      { video: 'r1', state: 'done' },
      { video: 'r2', state: 'failed', note: 'decode: moov atom not found' },
    ])
    expect(await requests(sql)).toEqual([])
    expect(await requests(sql, 60)).toMatchObject([{ id }])
  })

  test('two last videos that end at once end their request; one that was left open is ended by who reconciles', async () => {
    const { database, engine } = cluster
    const id = randomUUID()
    await addRequest(sql, { id, kind: 'index', priority: 1, videos: ['t1', 't2'] })
    let second: Promise<void> | undefined
    await database.transaction(async one => {
      await setWant(one, id, { video: 't1', state: 'done' })
      second = database.transaction(other => setWant(other, id, { video: 't2', state: 'done' }))
      await new Promise(resolve => setTimeout(resolve, 200)) // it waits for this one by then
    })
    await second
    expect(await findRequest(sql, id)).toMatchObject({ state: 'done', done: 2 })
    await sql.query("update longtake.request set state = 'open', ended = null, done = 1 where id = $1", [id])
    expect(await reconcile(database, engine)).toBe(true)
    expect(await findRequest(sql, id)).toMatchObject({ state: 'done', done: 2 })
  })

  test('settings of a newer longtake are left to its workers, and hinder no other video', async () => {
    const { database, engine } = cluster
    const id = randomUUID()
    await addConfig(sql, 'newer', { index: {}, models: {}, chosen: {}, later: true })
    await addRequest(sql, { id, kind: 'index', config: 'newer', priority: 1, videos: ['n1'] })
    expect(await reconcile(database, engine)).toBe(true)
    expect(await readWants(sql, id)).toMatchObject([{ state: 'planned' }])
    await cancelRequest(database, engine, id)
  })

  test('jobs that a version plans under queues of its own names are offered to workers', async () => {
    const { database, engine } = cluster
    const id = randomUUID()
    const frozen = await freezeIndex(Config.parse({}), buildHost({ home: '', environment: {} }), [])
    await addConfig(sql, 'other', frozen)
    await insertVideo(sql, { id: 'o1', name: 'o1.mp4', bytes: 1, probe: { video: someVideo('o1'), files: {} } })
    await addRequest(sql, { id, kind: 'index', config: 'other', priority: 1, videos: ['o1'] })
    await sql.query('delete from longtake.need')
    await database.transaction(held => advance(held, engine, 'o1'))
    const { rows } = await sql.query<{ name: string }>(
      "select distinct name from pgboss.job where data ->> 'video' = 'o1'",
    )
    expect(rows.length).toBeGreaterThan(0)
    expect((await allNeeds(sql)).map(({ queue }) => queue)).toEqual(
      expect.arrayContaining(rows.map(({ name }) => name)),
    )
    await cancelRequest(database, engine, id)
  })

  test('cancelling ends the jobs that no other request wants', async () => {
    const [mine, other] = [randomUUID(), randomUUID()]
    await addRequest(sql, { id: mine, kind: 'index', priority: 1, videos: ['x1', 'x2'] })
    await addRequest(sql, { id: other, kind: 'index', priority: 1, videos: ['x2'] })
    const data = (video: string) => ({ kind: 'stage' as const, video, stage: 'decode', key: 'k', config: 'c' })
    const jobs = ['x1', 'x2'].map(video => ({ id: randomUUID(), queue: 'decode', priority: 1, data: data(video) }))
    await cluster.engine.send(jobs)
    expect(await cancelRequest(cluster.database, cluster.engine, mine)).toBe(1)
    expect(await cancelRequest(cluster.database, cluster.engine, mine)).toBeUndefined()
    expect((await cluster.engine.fetch(['decode']))?.id).toBe(jobs[1]!.id)
    expect(await cluster.engine.fetch(['decode'])).toBeUndefined()
    expect(await cancelRequest(cluster.database, cluster.engine, other)).toBe(1)
  })
})

describe('attempts and failures', () => {
  const job = randomUUID()

  test('each beginning has a number; one that was left open when the next began was lost', async () => {
    const about = { job, worker: 'w1', queue: 'q', video: 'f1', stage: 'decode' }
    expect(await beginAttempt(sql, about)).toBe(1)
    await endAttempt(sql, job, 1, 'crashed', 'SIGSEGV')
    expect(await beginAttempt(sql, about)).toBe(2)
    expect(await beginAttempt(sql, { ...about, worker: 'w2' })).toBe(3)
    await endAttempt(sql, job, 3, 'failed', 'no picture')
    expect(await attemptCounts(sql, job)).toEqual({ crashed: 1, lost: 1, failed: 1 })
    expect((await readAttempts(sql, job)).map(({ n, worker, kind }) => [n, worker, kind])).toEqual([
      [1, 'w1', 'crashed'],
      [2, 'w1', 'lost'],
      [3, 'w2', 'failed'],
    ])
  })

  test('an attempt whose worker is gone is ended', async () => {
    const lost = randomUUID()
    await addWorker(sql, { id: 'here', host: 'h', version: '1', slots: { cpu: 1 }, queues: [] })
    await beginAttempt(sql, { job: lost, worker: 'nowhere' })
    const running = randomUUID()
    await beginAttempt(sql, { job: running, worker: 'here' })
    expect(await endLostAttempts(sql)).toBe(1)
    expect(await attemptCounts(sql, lost)).toEqual({ lost: 1 })
    expect(await attemptCounts(sql, running)).toEqual({})
  })

  test('what is forgiven counts no more, and who wanted it is open again', async () => {
    const id = randomUUID()
    await addRequest(sql, { id, kind: 'index', priority: 1, videos: ['f1'] })
    await addFailure(sql, {
      ...{ video: 'f1', stage: 'decode', key: 'k', kind: 'poison', message: 'SIGKILL', attempts: 2 },
    })
    await setWant(sql, id, { video: 'f1', state: 'failed' })
    expect(await readFailures(sql, 'f1')).toMatchObject([{ stage: 'decode', kind: 'poison', attempts: 2 }])
    expect(await allFailures(sql)).toHaveLength(1)
    expect(await forgiveFailures(sql)).toHaveLength(1)
    expect(await allFailures(sql)).toEqual([])
    expect(await attemptCounts(sql, job)).toEqual({ forgiven: 3 })
    expect(await findRequest(sql, id)).toMatchObject({ state: 'open' })
    expect(await wantedVideos(sql)).toContain('f1')
  })
})

describe('workers', () => {
  test('a worker hears that it is to drain, and is gone when it was not seen for two minutes', async () => {
    const row = { id: 'w9', host: 'gpu1', version: '0.1.0', slots: { gpu: 1 }, queues: ['a', 'b'] }
    await addWorker(sql, row)
    expect(await seeWorker(sql, 'w9')).toBe('live')
    expect(await drainWorker(sql, 'w9')).toBe(true)
    expect(await drainWorker(sql, 'none')).toBe(false)
    expect(await seeWorker(sql, 'w9', 'disk full')).toBe('draining')
    expect((await workers(sql)).find(({ id }) => id === 'w9')).toMatchObject({
      ...{ ...row, state: 'draining', note: 'disk full' },
    })
    await sql.query(`update longtake.worker set seen = now() - interval '121 seconds' where id = 'w9'`)
    expect((await workers(sql)).map(({ id }) => id)).not.toContain('w9')
    await sweepWorkers(sql)
    expect(await drainWorker(sql, 'w9')).toBe(false)
    expect(await seeWorker(sql, 'w9')).toBe('live')
    await leaveWorker(sql, 'w9')
    expect((await workers(sql)).map(({ id }) => id)).not.toContain('w9')
  })

  test('progress is one row a job, seen while its attempt is open', async () => {
    const job = randomUUID()
    const n = await beginAttempt(sql, { job, worker: 'here', video: 'p1', stage: 'speech' })
    await saveProgress(sql, { job, worker: 'here', text: 'listening', done: 1, total: 4 })
    await saveProgress(sql, { job, worker: 'here', text: 'listening', done: 2, total: 4 })
    expect(await readStageProgress(sql, ['p1'])).toMatchObject([{ job, stage: 'speech', done: 2, total: 4 }])
    await endAttempt(sql, job, n, 'completed')
    expect(await readStageProgress(sql, ['p1'])).toEqual([])
    await removeProgress(sql, job)
  })
})

test('workers are wanted for what waits, by how long such jobs took; never fewer than work', async () => {
  const wanted = async () => (await sql.query<{ n: number }>("select longtake.wanted_workers('gpu') as n")).rows[0]?.n
  await addNeeds(sql, [{ queue: 'gpu-queue', stage: 'speech', backend: 'whisper', version: '1', resource: 'gpu' }])
  const job = () => ({
    ...{ id: randomUUID(), queue: 'gpu-queue', priority: 1 },
    data: { kind: 'stage' as const, video: 'g', stage: 'speech', key: 'k', config: 'c' },
  })
  await cluster.engine.send(Array.from({ length: 11 }, job))
  expect(await wanted()).toBe(2) // 11 minutes
  await sql.query(
    `insert into longtake.attempt (job, n, worker, queue, started, ended, kind)
     values ($1, 1, 'w', 'gpu-queue', now() - interval '1200 s', now(), 'completed')`,
    [randomUUID()],
  )
  expect(await wanted()).toBe(22)
  const claimed = await cluster.engine.fetch(['gpu-queue'])
  await beginAttempt(sql, { job: claimed!.id, worker: 'w', queue: 'gpu-queue' })
  await sql.query("delete from pgboss.job where name = 'gpu-queue' and state = 'created'")
  expect(await wanted()).toBe(1)
  await cluster.engine.settle(claimed!, { state: 'completed' })
  expect(await wanted()).toBe(0)
})

test('what a row says of the files of subtitles counts only if it lists files', async () => {
  for (const [key, files] of Object.entries({ k1: '{"cues-0.jsonl":null}', k2: '"x"', k3: '[1]', k4: 'null' }))
    await addArtifact(sql, artifact({ video: 'v9', stage: 'subtitles', key, meta: { files: JSON.parse(files) } }))
  const known = await readCatalogue(sql, 'v9')
  for (const key of ['k1', 'k2', 'k3', 'k4']) expect(known.subtitles('subtitles', key), key).toEqual({ files: {} })
})

test('what a hostile worker writes ends no look at the cluster, or is named', async () => {
  await sql.query(`insert into longtake.worker (id, host, version, slots, queues) values
    ('odd', 'h', '1', 'null', '{NULL}'), ('odder', 'h', '1', '{"cpu": -5, "__proto__": 1}', '{q}')`)
  await sql.query(`insert into longtake.request (id, kind, created) values (gen_random_uuid(), 'odd', 'infinity')`)
  await sql.query(
    `insert into longtake.failure (video, stage, key, kind, message) values ('odd', 's', 'k', '__proto__', 'm')`,
  )
  try {
    const { workers, requests, failures } = await clusterStatus(sql, cluster.engine)
    expect(workers.filter(({ id }) => id.startsWith('odd'))).toMatchObject([
      { slots: {}, queues: [] },
      { slots: {}, queues: ['q'] },
    ])
    expect(requests.find(({ kind }) => kind === 'odd')?.created.getTime()).toBe(8.64e15)
    expect(Object.entries(failures)).toContainEqual(['__proto__', 1])
    await sql.query(`update longtake.worker set seen = 'infinity' where id = 'odd'`)
    await expect(clusterStatus(sql, cluster.engine)).rejects.toMatchObject({
      message: expect.stringMatching(/holds a value that longtake does not write: cannot subtract infinite/),
      exitCode: 4,
    })
  } finally {
    await sql.query(`delete from longtake.worker where id like 'odd%'`)
    await sql.query(`delete from longtake.request where kind = 'odd'`)
    await sql.query(`delete from longtake.failure where video = 'odd'`)
  }
})

test('the tables of a video are filled by one job for each state of its index, so that no job is done twice', async () => {
  const video = `v-${randomUUID()}`
  const request = { id: randomUUID(), kind: 'index', config: 'c1', priority: 1, created: new Date(), total: 1 }
  const fill = () =>
    afterIndex(sql, video, { ...request, state: 'open', done: 0 }).then(jobs => jobs.map(({ id }) => id))
  const result = (stage: string) => ({ ...artifact({ video, stage }), object: `o-${stage}` })
  await addArtifact(sql, result('decode'))
  const first = await fill()
  expect(first).toHaveLength(1)
  expect(await fill()).toEqual(first) // whoever plans at the same state asks for the same job
  const filled = `insert into longtake.filled (video, name, probe, lines, config) values ($1, 'v', '{}', 0, 'c1')`
  await sql.query(filled, [video])
  expect(await fill()).toEqual([])
  await addArtifact(sql, result('text')) // made after all, when the same was asked again
  const second = await fill()
  expect(second).toHaveLength(1)
  expect(second).not.toEqual(first)
})
