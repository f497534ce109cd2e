import { errorText } from '../../../src/core/errors.ts'
import { contentHash } from '../../../src/core/json.ts'
import type { Sql } from '../data/sql.ts'

// One vector a shot, by one encoder.
export interface ShotVectors {
  by: string
  version: string // of the encoder and its settings: vectors of two versions are never compared
  dimensions: number
  shots: { shot: number; time: number; vector: ArrayLike<number> }[]
}

interface FoundShot {
  video: string
  shot: number
  time: number
  score: number // cosine, 1: the same
}

const maxDimensions = 4000 // of a halfvec with an index

// Whether vectors are searched here, and why not.
export async function vectorState(sql: Sql): Promise<'on' | 'no pgvector'> {
  const { rows } = await sql.query<{ on: boolean }>("select to_regtype('halfvec') is not null as on")
  return rows[0]?.on ? 'on' : 'no pgvector'
}

const extensions = {
  pg_trgm: 'misread words are not found in a library-wide search',
  vector: 'a library-wide search finds by words only, not by picture (pgvector)',
}

// Makes what the tables can use and is not there yet, as far as this user may. Returns what is missing, and what does not work without it.
export async function addExtensions(sql: Sql): Promise<string[]> {
  const missing: string[] = []
  for (const [name, without] of Object.entries(extensions))
    try {
      await sql.query(`create extension if not exists ${name}`)
      if (name === 'pg_trgm')
        await sql.query('create index if not exists word_trgm on longtake.word using gin (word gin_trgm_ops)')
    } catch (error) {
      missing.push(`The extension ${name} is not there, so ${without}: ${errorText(error)}`)
    }
  return missing
}

export function spaceName({ by, version, dimensions }: Pick<ShotVectors, 'by' | 'version' | 'dimensions'>): string {
  return contentHash([by, version, dimensions]).slice(0, 12)
}

// The name of its space; undefined if vectors are off.
export async function fillShots(sql: Sql, video: string, given: ShotVectors): Promise<string | undefined> {
  const { by, dimensions, shots } = given
  if (dimensions > maxDimensions || (await vectorState(sql)) !== 'on') return undefined
  const space = spaceName(given)
  const table = tableName(space)
  await sql.query(`create table if not exists ${table} (
    video text not null, shot integer not null, time double precision not null, v halfvec(${dimensions}) not null, primary key (video, shot))`)
  await sql.query(
    `create index if not exists shot_${space}_v on ${table} using hnsw (v halfvec_cosine_ops) with (m = 24, ef_construction = 200)`,
  )
  await sql.query('insert into longtake.space (name, by, dimensions) values ($1, $2, $3) on conflict do nothing', [
    ...[space, by, dimensions],
  ])
  const rows = shots.map(({ shot, time, vector }) => ({ shot, time, v: vectorText(vector) }))
  await sql.query(
    `insert into ${table} (video, shot, time, v)
    select $1, r.shot, r.time, r.v::halfvec from json_to_recordset($2::json) as r(shot integer, time float8, v text)`,
    [video, JSON.stringify(rows)],
  )
  return space
}

export async function removeShots(sql: Sql, video: string): Promise<void> {
  const { rows } = await sql.query<{ space: string | null }>('select space from longtake.filled where video = $1', [
    video,
  ])
  const space = rows[0]?.space
  if (space && (await hasTable(sql, space)))
    await sql.query(`delete from ${tableName(space)} where video = $1`, [video])
}

// The shots nearest to a vector, in the videos that are named or in all. Where `exact`, by a scan of all of them. In a transaction: its
// settings hold until that ends.
export async function nearestShots(
  sql: Sql,
  space: string,
  vector: ArrayLike<number>,
  { limit, only, exact = false }: { limit: number; only?: readonly string[]; exact?: boolean },
): Promise<FoundShot[]> {
  if (!(await hasTable(sql, space))) return []
  await sql.query("select set_config('hnsw.ef_search', '200', true)")
  // The index takes the nearest of all videos first: few of them would be of those that are named.
  await sql.query("select set_config('enable_indexscan', $1, true)", [exact || only ? 'off' : 'on'])
  const { rows } = await sql.query<FoundShot>(
    `select video, shot, time, 1 - (v <=> $1::halfvec) as score from ${tableName(space)}
    ${only ? 'where video = any($3)' : ''} order by v <=> $1::halfvec limit $2`,
    [vectorText(vector), limit, ...(only ? [only] : [])],
  )
  return rows
}

async function hasTable(sql: Sql, space: string): Promise<boolean> {
  const { rows } = await sql.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    tableName(space),
  ])
  return rows[0]?.there ?? false
}

// A name of ours, made of a hash: never of a word from outside.
function tableName(space: string): string {
  if (!/^[0-9a-f]{12}$/.test(space))
    throw new Error(`"${space}" must be 12 hexadecimal digits to name a space of vectors.`)
  return `longtake.shot_${space}`
}

function vectorText(vector: ArrayLike<number>): string {
  return `[${Array.from(vector, value => (Number.isFinite(value) ? value : 0)).join(',')}]`
}
