import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../apps/cluster/data/schema/index.ts'
import type { Sql } from '../../apps/cluster/data/sql.ts'
import type { QueueCount } from '../../apps/cluster/engine/engine.ts'
import { startCounters } from '../../apps/cluster/observe/counters.ts'
import { metricsAddress, serveMetrics } from '../../apps/cluster/observe/serve-metrics.ts'
import { freshDatabase } from '../support/postgres.ts'

let client: pg.Client
let sql: Sql

beforeAll(async () => {
  client = new pg.Client({ connectionString: await freshDatabase() })
  await client.connect()
  sql = {
    query: async (text, values) => {
      const { rows, rowCount } = await client.query(text, values)
      return { rows, rowCount: rowCount ?? 0 }
    },
  }
  await migrate({ transaction: run => run(sql) })
  await sql.query(
    `insert into longtake.video (id, name, bytes, duration) values ('v1', 'a.mp4', 1, 60), ('v2', 'b.mp4', 1, 30)`,
  )
  await sql.query(`insert into longtake.attempt (job, n, worker, video, stage, started, ended, kind) values
    (gen_random_uuid(), 1, 'w', 'v1', 'decode', now() - interval '10 s', now(), 'completed'),
    (gen_random_uuid(), 1, 'w', 'v2', 'decode', now() - interval '5 s', now(), 'completed'),
    (gen_random_uuid(), 1, 'w', 'v2', 'speech', now() - interval '5 s', now(), 'lost'),
    (gen_random_uuid(), 2, 'w', 'v2', 'speech', now() - interval '1 s', null, null)`)
  await sql.query(`insert into longtake.worker (id, host, version, slots, seen, state) values
    ('w', 'box "7"', '1', '{}', now() - interval '20 s', 'live'), ('old', 'x', '1', '{}', now(), 'gone')`)
})
afterAll(() => client.end())

const counts: QueueCount[] = [{ queue: 'speech.whisper.3fa9c1d2', waiting: 4, running: 1, failed: 0, oldest: 12.5 }]

// Each line of the exposition format, and each family with its own HELP and TYPE before its samples.
function parse(text: string): Map<string, number> {
  const samples = new Map<string, number>()
  let family = ''
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, name] = /^# (HELP|TYPE) ([a-z_]+) ./.exec(line) ?? []
    if (kind === 'HELP') family = name ?? ''
    if (kind) {
      expect(name).toBe(family)
      continue
    }
    const label = '[a-z_]+="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"'
    const [, of, labels = '', value] =
      new RegExp(`^([a-z_]+)((?:\\{${label}(?:,${label})*\\})?) (\\S+)$`).exec(line) ?? []
    expect([line, of]).toEqual([line, family])
    expect(samples.has(`${of}${labels}`)).toBe(false)
    samples.set(`${of}${labels}`, Number(value))
  }
  return samples
}

test('the figures of the cluster and of the worker are those of its rows and counters', async () => {
  const counters = startCounters()
  counters.count({ what: 'cache', outcome: 'hit' })
  counters.count({ what: 'cache', outcome: 'miss' })
  counters.count({ what: 'bytes', direction: 'in', bytes: 500 })
  counters.count({ what: 'bytes', direction: 'in', bytes: 500 })
  counters.count({ what: 'wait', server: 'http://gpu1:8000', seconds: 1.5 })
  const served = await serveMetrics({ sql, engine: { counts: async () => counts }, counters }, metricsAddress('0'))
  try {
    const response = await fetch(served.url)
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = await response.text()
    const found = Object.fromEntries(parse(text))
    expect(found).toMatchObject({
      longtake_database_up: 1,
      'longtake_jobs{queue="speech.whisper.3fa9c1d2",state="waiting"}': 4,
      'longtake_jobs{queue="speech.whisper.3fa9c1d2",state="running"}': 1,
      'longtake_oldest_job_seconds{queue="speech.whisper.3fa9c1d2"}': 12.5,
      'longtake_attempts{stage="decode",kind="completed"}': 2,
      'longtake_attempts{stage="speech",kind="lost"}': 1,
      'longtake_attempts{stage="speech",kind="running"}': 1,
      'longtake_stage_seconds{stage="decode"}': 15,
      'longtake_stage_media_seconds{stage="decode"}': 90,
      'longtake_cache_lookups_total{outcome="hit"}': 1,
      'longtake_cache_lookups_total{outcome="miss"}': 1,
      'longtake_store_bytes_total{direction="in"}': 1000,
      'longtake_store_bytes_total{direction="out"}': 0,
      'longtake_limiter_wait_seconds_total{server="http://gpu1:8000"}': 1.5,
    })
    expect(found['longtake_worker_heartbeat_age_seconds{worker="w",host="box \\"7\\"",state="live"}']).toBeGreaterThan(
      19,
    )
    expect(text).not.toContain('worker="old"')
    expect((await fetch(served.url.replace('metrics', 'ready'))).status).toBe(200)
    expect((await fetch(served.url.replace('metrics', ''))).status).toBe(404)
  } finally {
    await served.close()
  }
})

test('without its database a worker still counts, is live and is not ready', async () => {
  const away: Sql = { query: () => new Promise(() => {}) } // waits for its database
  const observed = { sql: away, engine: { counts: async () => counts }, counters: startCounters() }
  const served = await serveMetrics(observed, metricsAddress('127.0.0.1:0'))
  try {
    const found = parse(await (await fetch(served.url)).text())
    expect(found.get('longtake_database_up')).toBe(0)
    expect(found.get('longtake_store_bytes_total{direction="in"}')).toBe(0)
    expect((await fetch(served.url.replace('metrics', 'live'))).status).toBe(200)
    expect((await fetch(served.url.replace('metrics', 'ready'))).status).toBe(503)
  } finally {
    await served.close()
  }
})

test('only this machine reads them unless another address is given', () => {
  expect(metricsAddress('9464')).toEqual({ host: '127.0.0.1', port: 9464 })
  expect(metricsAddress('0.0.0.0:9464')).toEqual({ host: '0.0.0.0', port: 9464 })
  expect(metricsAddress('[::1]:9464')).toEqual({ host: '::1', port: 9464 })
  for (const wrong of ['', 'here', '99999', 'box:'])
    expect(() => metricsAddress(wrong)).toThrow('--metrics must be a port')
})
