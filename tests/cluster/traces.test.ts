import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../apps/cluster/data/database.ts'
import { migrate } from '../../apps/cluster/data/schema/index.ts'
import type { Database } from '../../apps/cluster/data/sql.ts'
import {
  type EndedSpan,
  hashTraceId,
  openTraces,
  spansOfRequest,
  spansOfRun,
} from '../../apps/cluster/observe/trace-ended.ts'
import { freshDatabase } from '../support/postgres.ts'

const request = '0c3f2a10-77aa-4b0e-9c11-00112233aabb'
let database: Database

beforeAll(async () => {
  database = await openDatabase(await freshDatabase())
  await migrate(database)
  await database.query(`insert into longtake.video (id, name, bytes, duration) values ('v1', 'secret.mp4', 1, 60)`)
  await database.query(
    `insert into longtake.request (id, kind, state, created, ended)
     values ($1, 'index', 'partial', now() - interval '100 s', now())`,
    [request],
  )
  await database.query(`insert into longtake.want (request, video, state) values ($1, 'v1', 'failed')`, [request])
  const attempt = `insert into longtake.attempt (job, n, worker, queue, video, stage, started, ended, kind) values`
  await database.query(`${attempt}
    (gen_random_uuid(), 1, 'w1', 'q', 'v1', 'decode', now() - interval '90 s', now() - interval '80 s', 'completed'),
    (gen_random_uuid(), 1, 'w1', 'q', 'v1', 'speech', now() - interval '80 s', now() - interval '60 s', 'lost'),
    (gen_random_uuid(), 2, 'w2', 'q', 'v1', 'text', now() - interval '50 s', null, null),
    (gen_random_uuid(), 1, 'w1', 'q', 'v1', 'decode', now() - interval '900 s', now() - interval '800 s', 'completed')`)
  await database.query(`insert into longtake.run (id, environment, config) values ('r1', '{}', '{}')`)
  const line = {
    ...{ id: 's1', seconds: 10, question: { text: 'a secret' } },
    asks: [{ name: 'a', seconds: 8, steps: [{ tool: 'search', outcome: 'found', round: 1, seconds: 2 }] }],
  }
  await database.query(`insert into longtake.answer (run, sample, line, worker) values ('r1', 's1', $1, 'w1')`, [
    JSON.stringify(line),
  ])
})
afterAll(() => database.close())

const seconds = ({ start, end }: EndedSpan) => Math.round((end.getTime() - start.getTime()) / 1000)

test('a request is a span a video, with one below it for each attempt that it waited for', async () => {
  const [video, ...others] = await spansOfRequest(database, request)
  expect(others).toEqual([])
  expect(video).toMatchObject({ name: 'index video', failed: true, attributes: { video: 'v1', state: 'failed' } })
  expect(video && seconds(video)).toBe(30)
  expect(video?.children.map(child => [child.attributes.stage, child.failed, seconds(child)])).toEqual([
    ['decode', false, 10],
    ['speech', true, 20],
  ])
})

test('a run is a span with its questions, and these with their calls', async () => {
  const [run] = await spansOfRun(database, 'r1')
  expect(run).toMatchObject({ name: 'bench run', attributes: { run: 'r1', answers: 1 } })
  expect(run?.children).toMatchObject([{ name: 'ask', attributes: { sample: 's1', worker: 'w1' } }])
  expect(run?.children[0] && seconds(run.children[0])).toBe(8)
  expect(run?.children[0]?.children).toMatchObject([{ name: 'call', attributes: { tool: 'search', outcome: 'found' } }])
})

test('no name of a file and no question is in a span', async () => {
  const spans = [...(await spansOfRequest(database, request)), ...(await spansOfRun(database, 'r1'))]
  expect(JSON.stringify(spans)).not.toContain('secret')
})

test('the id of a request is that of its trace; other ids are hashed to one', () => {
  expect(hashTraceId(request)).toBe('0c3f2a1077aa4b0e9c1100112233aabb')
  expect(hashTraceId('bench/first')).toMatch(/^[\da-f]{32}$/)
})

test('nothing is loaded without an address, and nothing is sent without the package', async () => {
  const load = () => Promise.reject(new Error('loaded'))
  expect(await openTraces(undefined, load)).toBeUndefined()
  expect(await openTraces('', load)).toBeUndefined()
  expect(await openTraces('http://127.0.0.1:4318')).toBeUndefined()
})
