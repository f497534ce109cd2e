import { storedStage } from '../../../../src/core/words/stage-names.ts'
import type { Resource } from '../job.ts'
import type { Sql } from '../sql.ts'
import { nameStages, queryRows } from './rows.ts'

interface CatalogueVideo {
  id: string
  name: string
  bytes: number
  duration?: number
  probe?: unknown
}

// What is known later is added; what is known stays.
export async function insertVideo(sql: Sql, { id, name, bytes, duration, probe }: CatalogueVideo): Promise<void> {
  await sql.query(
    `insert into longtake.video as known (id, name, bytes, duration, probe) values ($1, $2, $3, $4, $5)
     on conflict (id) do update set duration = coalesce(known.duration, excluded.duration),
       probe = coalesce(known.probe, excluded.probe)`,
    [id, name, bytes, duration, probe === undefined ? undefined : JSON.stringify(probe)],
  )
}

export async function selectVideo(sql: Sql, id: string): Promise<CatalogueVideo | undefined> {
  const rows = await queryRows<CatalogueVideo>(
    sql,
    'select id, name, bytes::float8 as bytes, duration, probe from longtake.video where id = $1',
    [id],
  )
  return rows[0]
}

// Where its file lies: below a root, whose path each machine knows, or as an object of the store.
type VideoSource = { root: string; path: string } | { object: string }

export async function addSource(sql: Sql, video: string, source: VideoSource): Promise<void> {
  const [root, path, object] = 'object' in source ? ['', '', source.object] : [source.root, source.path, undefined]
  await sql.query(
    `insert into longtake.source (video, root, path, object) values ($1, $2, $3, $4)
     on conflict (video, root, path) do update set object = excluded.object`,
    [video, root, path, object],
  )
}

export async function readVideoSources(sql: Sql, video: string): Promise<VideoSource[]> {
  const { rows } = await sql.query<{ root: string; path: string; object: string | null }>(
    'select root, path, object from longtake.source where video = $1 order by root, path',
    [video],
  )
  return rows.map(({ root, path, object }) => (object === null ? { root, path } : { object }))
}

// Settings by their hash; jobs name the hash.
export async function addConfig(sql: Sql, hash: string, config: unknown): Promise<void> {
  await sql.query('insert into longtake.config (hash, json) values ($1, $2) on conflict do nothing', [
    hash,
    JSON.stringify(config),
  ])
}

export async function findConfig(sql: Sql, hash: string): Promise<unknown> {
  const { rows } = await sql.query<{ json: unknown }>('select json from longtake.config where hash = $1', [hash])
  return rows[0]?.json
}

// What a worker must have to serve a queue.
export interface StageNeed {
  queue: string
  stage: string
  backend: string
  version: string
  resource: Resource
}

export async function addNeeds(sql: Sql, needs: readonly StageNeed[]): Promise<void> {
  for (const { queue, stage, backend, version, resource } of needs)
    await sql.query(
      `insert into longtake.need (queue, stage, backend, version, resource) values ($1, $2, $3, $4, $5)
       on conflict do nothing`,
      [queue, storedStage(stage), backend, version, resource],
    )
}

export async function allNeeds(sql: Sql): Promise<StageNeed[]> {
  const select = 'select queue, stage, backend, version, resource from longtake.need order by queue'
  return nameStages(await queryRows<StageNeed>(sql, select))
}
