import type { Database } from '../data/sql.ts'
import { nearestShots, vectorState } from './shot-table.ts'

export interface Recall {
  space: string
  by: string
  shots: number
  queries: number
  recall: number // share of the 20 nearest by an exact scan that the index finds
}

const queries = 40
const near = 20

// How well the indexes of vectors find what is nearest, measured on the vectors of the library itself. Undefined: vectors are off.
export async function measureRecall(database: Pick<Database, 'query' | 'transaction'>): Promise<Recall[] | undefined> {
  if ((await vectorState(database)) !== 'on') return undefined
  const { rows } = await database.query<{ name: string; by: string }>(
    'select name, by from longtake.space order by name',
  )
  const measured: Recall[] = []
  for (const { name, by } of rows) measured.push({ space: name, by, ...(await measureRecallOfSpace(database, name)) })
  return measured
}

async function measureRecallOfSpace(database: Pick<Database, 'transaction'>, space: string) {
  const { shots, asked } = await database.transaction(async sql => {
    const counted = await sql.query<{ n: number }>(`select count(*)::integer as n from longtake.shot_${space}`)
    const { rows } = await sql.query<{ v: string }>(
      `select v::text as v from longtake.shot_${space} order by random() limit ${queries}`,
    )
    return { shots: counted.rows[0]?.n ?? 0, asked: rows.map(({ v }) => JSON.parse(v) as number[]) }
  })
  let foundCount = 0
  let wantedCount = 0
  for (const vector of asked) {
    const look = (exact: boolean) =>
      database.transaction(sql => nearestShots(sql, space, vector, { limit: near, exact }))
    const [exact, quick] = [await look(true), await look(false)]
    // Copies lie equally near: what is as near as the last of the exact ones is found.
    const last = (exact.at(-1)?.score ?? 0) - 1e-4
    wantedCount += exact.length
    foundCount += Math.min(exact.length, quick.filter(({ score }) => score >= last).length)
  }
  return { shots, queries: asked.length, recall: wantedCount === 0 ? 1 : foundCount / wantedCount }
}
