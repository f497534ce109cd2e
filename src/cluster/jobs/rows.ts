import type { FrozenVideo } from '../../app/index/frozen-index.ts'
import type { StageMeta } from '../../core/stage.ts'
import type { Sql } from '../data/sql.ts'
import type { Resource } from './job.ts'
import type { KnownRows } from './known-rows.ts'

// Rows that say what is to be made, and what came of it.

// Whoever plans, or says what has become of a stage, does so alone for this video: two tracks that end at once cannot miss each other.
export async function lockVideo(sql: Sql, video: string): Promise<void> {
  await sql.query("select pg_advisory_xact_lock(hashtextextended('longtake video ' || $1, 0))", [video])
}

export async function saveConfig(sql: Sql, hash: string, json: unknown): Promise<void> {
  await sql.query('insert into longtake.config (hash, json) values ($1, $2) on conflict do nothing', [
    hash,
    JSON.stringify(json),
  ])
}

export async function readConfig(sql: Sql, hash: string): Promise<unknown> {
  const { rows } = await sql.query<{ json: unknown }>('select json from longtake.config where hash = $1', [hash])
  return rows[0]?.json
}

export async function saveVideo(sql: Sql, frozen: FrozenVideo): Promise<void> {
  const { id, name, bytes, duration } = frozen.video
  await sql.query(
    `insert into longtake.video (id, name, bytes, duration, probe) values ($1, $2, $3, $4, $5)
     on conflict (id) do update set name = excluded.name, probe = excluded.probe, duration = excluded.duration`,
    [id, name, bytes, duration, JSON.stringify(frozen)],
  )
}

export async function readVideo(sql: Sql, id: string): Promise<unknown> {
  const { rows } = await sql.query<{ probe: unknown }>('select probe from longtake.video where id = $1', [id])
  return rows[0]?.probe
}

export async function knownRows(sql: Sql, video: string): Promise<KnownRows> {
  const results = await sql.query<{ stage: string; key: string; files: StageMeta['files'] | null }>(
    `select stage, key, case when stage = 'subtitles' then meta -> 'files' end as files
     from longtake.artifact where video = $1`,
    [video],
  )
  const failures = await sql.query<KnownRows['failures'][number]>(
    'select stage, key, kind, message from longtake.failure where video = $1',
    [video],
  )
  return {
    results: results.rows.map(({ stage, key, files }) => ({ stage, key, ...(files && { files }) })),
    failures: failures.rows,
  }
}

export interface Need {
  queue: string
  stage: string
  backend: string
  version: string
  resource: Resource
}

export async function saveNeeds(sql: Sql, needs: readonly Need[]): Promise<void> {
  for (const { queue, stage, backend, version, resource } of needs)
    await sql.query(
      `insert into longtake.need (queue, stage, backend, version, resource) values ($1, $2, $3, $4, $5)
       on conflict do nothing`,
      [queue, stage, backend, version, resource],
    )
}

export interface FailureRow {
  video: string
  stage: string
  key: string
  kind: string
  message: string
  attempts: number
}

export async function saveFailure(sql: Sql, { video, stage, key, kind, message, attempts }: FailureRow): Promise<void> {
  await sql.query(
    `insert into longtake.failure (video, stage, key, kind, message, attempts) values ($1, $2, $3, $4, $5, $6)
     on conflict (video, stage, key) do update
     set kind = excluded.kind, message = excluded.message, attempts = excluded.attempts, at = now()`,
    [video, stage, key, kind, message, attempts],
  )
}

// Who asks again wants it tried again, as on one machine.
export async function forgetFailures(sql: Sql, video: string): Promise<void> {
  await sql.query(
    `delete from longtake.attempt using longtake.failure
     where failure.video = $1 and attempt.video = $1 and attempt.stage = failure.stage and attempt.ended is not null`,
    [video],
  )
  await sql.query('delete from longtake.failure where video = $1', [video])
}

export async function forgetResult(sql: Sql, video: string, stage: string, key: string): Promise<void> {
  await sql.query('delete from longtake.artifact where video = $1 and stage = $2 and key = $3', [video, stage, key])
}
