import type { Sql } from '../sql.ts'
import { queryRows } from './rows.ts'

// A result that counts: which object of the store holds it, and who made it.
export interface Artifact {
  video: string
  stage: string
  key: string
  attempt: string // the one that won; the packs of others are orphans
  object: string
  bytes: number
  sha256: string
  meta: unknown
  worker?: string
  device?: string
}

// Whether it is this attempt's result that counts; also where it was said before. What a false attempt has pushed is an orphan.
export async function addArtifact(sql: Sql, artifact: Artifact): Promise<boolean> {
  const { video, stage, key, attempt, object, bytes, sha256, meta, worker, device } = artifact
  await sql.query(
    `insert into longtake.artifact (video, stage, key, attempt, object, bytes, sha256, meta, worker, device)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing`,
    [video, stage, key, attempt, object, bytes, sha256, JSON.stringify(meta), worker, device],
  )
  return (await findArtifact(sql, artifact))?.attempt === attempt
}

export async function findArtifact(
  sql: Sql,
  { video, stage, key }: Pick<Artifact, 'video' | 'stage' | 'key'>,
): Promise<Artifact | undefined> {
  const rows = await queryRows<Artifact>(sql, `${select} where video = $1 and stage = $2 and key = $3`, [
    video,
    stage,
    key,
  ])
  return rows[0]
}

// A row is removed only with the attempt that was looked at: meanwhile another one may have taken its place.
export async function removeArtifact(
  sql: Sql,
  { video, stage, key, attempt }: Pick<Artifact, 'video' | 'stage' | 'key' | 'attempt'>,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    'delete from longtake.artifact where video = $1 and stage = $2 and key = $3 and attempt = $4',
    [video, stage, key, attempt],
  )
  return rowCount > 0
}

// Those of the given objects of the store that a row names.
export async function knownObjects(sql: Sql, objects: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql.query<{ object: string }>(
    `select object from longtake.artifact where object = any ($1)
     union select object from longtake.source where object = any ($1)`,
    [objects],
  )
  return new Set(rows.map(row => row.object))
}

const select = `select video, stage, key, attempt, object, bytes::float8 as bytes, sha256, meta, worker, device from longtake.artifact`
