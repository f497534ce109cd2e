import { setTimeout as sleep } from 'node:timers/promises'
import type { AskJob } from '../data/job.ts'
import type { Database, Sql } from '../data/sql.ts'
import type { Engine, NewJob } from '../engine/engine.ts'
import { jobId, jobPriority } from './plan-video.ts'

export interface ShardRow {
  run: string
  n: number
  video: string // id
  config: string // what its index is made with
  queue: string
  samples: string[]
  priority: number
}

export async function saveShards(sql: Sql, shards: readonly ShardRow[]): Promise<void> {
  for (const { run, n, video, config, queue, samples, priority } of shards)
    await sql.query(
      `insert into longtake.shard (run, n, video, config, queue, samples, priority) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict do nothing`,
      [run, n, video, config, queue, samples, priority],
    )
}

export async function shardsOfRun(sql: Sql, run: string): Promise<(ShardRow & { sent: boolean })[]> {
  const { rows } = await sql.query<ShardRow & { sent: boolean }>(
    `select run, n, video, config, queue, samples, priority, sent is not null as sent
     from longtake.shard where run = $1 order by n`,
    [run],
  )
  return rows
}

// The request of a run has the run in the place of its settings.
const openBench = "request.kind = 'bench' and request.state = 'open'"

// The shards that waited for this index, as jobs: whoever has finished it sends them in the same transaction.
export async function freeShards(sql: Sql, video: string, config: string): Promise<NewJob[]> {
  const { rows } = await sql.query<ShardRow>(
    `update longtake.shard set sent = now() from longtake.run
     where run.id = shard.run and shard.video = $1 and shard.config = $2 and shard.sent is null
       and exists (select 1 from longtake.request where ${openBench} and request.config = run.id)
     returning shard.run, shard.n, shard.queue, shard.samples, shard.priority, shard.video, shard.config`,
    [video, config],
  )
  return rows.map(shardJob)
}

// Shards that are wanted once more: they are sent as soon as their index is found to be there.
export async function holdShards(sql: Sql, run: string, shards: readonly ShardRow[]): Promise<void> {
  const numbers = shards.map(({ n }) => n)
  await sql.query('update longtake.shard set sent = null where run = $1 and n = any ($2)', [run, numbers])
}

// Shards that were sent and have no job any more; who began the run says which of them still lack an answer.
export async function idleShards(sql: Sql, engine: Engine, run: string): Promise<ShardRow[]> {
  const sent = (await shardsOfRun(sql, run)).filter(shard => shard.sent)
  const underWay = await engine.underWay(sent.map(shard => shardJob(shard).id))
  return sent.filter(shard => !underWay.has(shardJob(shard).id))
}

const patience = 30_000 // milliseconds, for a worker that has died with its last answer given

// A worker stores what it has noted beside the answers when it ends a shard: after the last of them is there.
export async function untilIdle(sql: Sql, engine: Engine, run: string, signal: AbortSignal): Promise<void> {
  const ids = (await shardsOfRun(sql, run)).map(shard => shardJob(shard).id)
  const began = performance.now()
  while ((await engine.underWay(ids)).size > 0 && performance.now() - began < patience)
    await sleep(100, undefined, { signal })
}

// Sends jobs of a run, unless it was cancelled meanwhile.
export function sendOpen(database: Database, engine: Engine, run: string, jobs: readonly NewJob[]): Promise<void> {
  return database.transaction(async sql => {
    const open = `select 1 from longtake.request where ${openBench} and request.config = $1 for share`
    const { rows } = await sql.query(open, [run])
    if (rows.length > 0) await engine.send(jobs, sql)
  })
}

// Questions, and what a making asks, come before new indexes: they end what was begun.
export const askRank = 4

export function shardJob({ run, n, queue, samples, priority }: ShardRow): NewJob {
  const data: AskJob = { kind: 'ask', run, shard: n, samples }
  return { id: jobId(data), queue, data, priority: jobPriority(priority, askRank) }
}
