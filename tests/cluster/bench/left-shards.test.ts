import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { saveAnswer, saveRun } from '../../../apps/cluster/bench/answers.ts'
import { clusterRunner } from '../../../apps/cluster/bench/bench-queue.ts'
import { openRequest, runRequestId } from '../../../apps/cluster/bench/run-request.ts'
import { attemptCounts } from '../../../apps/cluster/data/catalogue/attempts.ts'
import { forgiveVideos } from '../../../apps/cluster/data/catalogue/failures.ts'
import type { Request } from '../../../apps/cluster/data/catalogue/requests.ts'
import type { ClaimedJob, NewJob } from '../../../apps/cluster/engine/engine.ts'
import { afterIndex } from '../../../apps/cluster/jobs/after-index.ts'
import { cancelRequest } from '../../../apps/cluster/jobs/cancel-request.ts'
import { jobId } from '../../../apps/cluster/jobs/plan-video.ts'
import {
  idleShards,
  type ShardRow,
  saveShards,
  sendOpen,
  shardJob,
  untilIdle,
} from '../../../apps/cluster/jobs/shards.ts'
import { openStore } from '../../../apps/cluster/store/open-store.ts'
import { beginJob, failJob } from '../../../apps/cluster/worker/settle-job.ts'
import type { SampleLine } from '../../../eval/data/sample-line.ts'
import type { RunnerWork } from '../../../eval/runner/runner.ts'
import { Config } from '../../../src/config/schema.ts'
import { sampleLine } from '../../bench/sample-lines.ts'
import { type TestCluster, testCluster } from '../../support/cluster-database.ts'

let cluster: TestCluster
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'longtake-left-shards-'))
  cluster = await testCluster()
})
afterAll(async () => {
  await cluster.close()
  rmSync(folder, { recursive: true, force: true })
})

// A run about a model alone, whose shards wait for no index.
async function begunRun(run: string, samples: readonly string[]): Promise<ShardRow[]> {
  const { database, engine } = cluster
  const queue = `ask.frames.${run}`
  const shards = samples.map((id, n) => ({ run, n, video: 'v1', config: 'frames', queue, samples: [id], priority: 1 }))
  await engine.queue(queue)
  await saveRun(database, { id: run, environment: {}, config: {} })
  await saveShards(database, shards)
  await openRequest(database, run, { by: 'test', total: samples.length, done: 0 })
  return shards
}

async function claim(queue: string): Promise<ClaimedJob> {
  for (let waited = 0; waited < 20_000; waited += 100) {
    const claimed = await cluster.engine.fetch([queue])
    if (claimed) return claimed
    await sleep(100)
  }
  throw new Error(`Nothing came into ${queue}.`)
}

const failed = (id: string, finished: string) =>
  sampleLine({ id, score: null, more: { error: 'The server is gone.', finished } })

test('a question that a running shard failed before the command began again is asked once more, as is a lost job', async () => {
  const { database, engine } = cluster
  const [first, second] = await begunRun('resumed', ['s1', 's2'])
  if (!first || !second) throw new Error('no shards')
  await engine.send([shardJob(first)])
  const running = await claim(first.queue)
  const before = failed('s1', '2026-11-22T12:00:00.000Z')
  await saveAnswer(database, 'resumed', before, 'w')

  writeFileSync(join(folder, 'cluster.json'), '{"run":"resumed"}')
  const lines = new Map<string, SampleLine>([['s1', before]])
  const append = async (line: SampleLine) => void lines.set(line.id, line)
  const work = {
    ...{ parts: { redact: (value: unknown) => value }, samples: ['s1', 's2'].map(id => ({ sample: { id } })) },
    ...{ files: { folder, lines, append, frame: async () => '' }, watch: () => {}, onSample: () => {} },
  } as unknown as RunnerWork
  const store = await openStore(join(folder, 'store'), {})
  const world = { database, engine, store, settings: Config.parse({}).cluster }
  const settled = clusterRunner(world, new AbortController().signal)(work)

  const other = await claim(first.queue)
  expect(other.data).toMatchObject({ shard: 1 })
  await database.query('delete from pgboss.job where id = $1', [other.id])
  await engine.settle(running, { state: 'completed' })
  for (let left = 2; left > 0; left--) {
    const again = await claim(first.queue)
    if (again.data.kind !== 'ask') throw new Error('no shard')
    for (const id of again.data.samples) await saveAnswer(database, 'resumed', sampleLine({ id, score: 1 }), 'w')
    await engine.settle(again, { state: 'completed' })
  }
  await settled
  expect([...lines.values()].map(line => line.error)).toEqual([undefined, undefined])
})

test('shards that wait or run are not idle, and those of a cancelled run are not sent again', async () => {
  const { database, engine } = cluster
  const shards = await begunRun('cancelled', ['a', 'b', 'c', 'd'])
  const [queue = ''] = shards.map(shard => shard.queue)
  await database.query("update longtake.shard set sent = now() where run = 'cancelled' and n < 3")
  await engine.send(shards.slice(0, 3).map(shardJob))
  await engine.settle(await claim(queue), { state: 'completed' })
  await claim(queue)
  const idle = await idleShards(database, engine, 'cancelled')
  expect(idle).toHaveLength(1)
  await sendOpen(database, engine, 'cancelled', idle.map(shardJob))
  expect(await idleShards(database, engine, 'cancelled')).toEqual([])
  await cancelRequest(database, engine, runRequestId('cancelled'))
  const all = await idleShards(database, engine, 'cancelled')
  expect(all).toHaveLength(3)
  await sendOpen(database, engine, 'cancelled', all.map(shardJob))
  expect(await engine.fetch([queue])).toBeUndefined()
})

test('what a worker notes beside its answers is waited for until its shard has ended', async () => {
  const { database, engine } = cluster
  const [shard] = await begunRun('noted', ['s'])
  if (!shard) throw new Error('no shard')
  await engine.send([shardJob(shard)])
  const claimed = await claim(shard.queue)
  let ended = false
  const waited = untilIdle(database, engine, 'noted', new AbortController().signal).then(() => ended)
  await sleep(300)
  ended = true
  await engine.settle(claimed, { state: 'completed' })
  expect(await waited).toBe(true)
})

test.each<[string, NewJob['data'], string]>([
  ['shard', { kind: 'ask', run: 'poisoned', shard: 0, samples: ['s'] }, 'poisoned'],
  ['library job', { kind: 'library', video: 'v9', config: 'c' }, 'v9'],
])('a %s that was lost three times is tried again when somebody asks for that', async (_, data, place) => {
  const { database, engine } = cluster
  const books = { database, engine, worker: 'w' }
  const job = { id: jobId(data), queue: `again.${data.kind}`, data, priority: 100 }
  await engine.queue(job.queue)
  await engine.send([job])
  const claimed = await claim(job.queue)
  for (let lost = 0; lost < 3; lost++) await beginJob(books, claimed)
  const { n, before } = await beginJob(books, claimed)
  expect(before).toMatchObject({ lost: 3 })
  await failJob(books, claimed, n, { kind: 'poison', message: 'lost', attempts: n })
  await forgiveVideos(database, [place])
  await engine.send([job])
  expect((await beginJob(books, await claim(job.queue))).before.lost).toBeUndefined()
  expect(await attemptCounts(database, job.id)).toMatchObject({ forgiven: 4 })
})

test('an index that is done frees its shards and is put into the tables, whoever planned it', async () => {
  const { database } = cluster
  await begunRun('waiting', ['s'])
  await database.query("update longtake.shard set config = 'c1', video = 'v2' where run = 'waiting'")
  const request: Request = {
    ...{ id: 'r', kind: 'index', config: 'c1', priority: 1, state: 'open', done: 0, total: 1, created: new Date() },
  }
  const jobs = await database.transaction(sql => afterIndex(sql, 'v2', request))
  expect(jobs.map(job => job.data.kind)).toEqual(['ask', 'library'])
})
