import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { vector } from '@electric-sql/pglite-pgvector'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../apps/cluster/data/schema/index.ts'
import { serverVersion } from '../../apps/cluster/data/server-version.ts'
import type { Database, Sql } from '../../apps/cluster/data/sql.ts'
import { findCandidates } from '../../apps/cluster/library/candidates.ts'
import { measureRecall } from '../../apps/cluster/library/recall.ts'
import { emptyVideo, fillVideo } from '../../apps/cluster/library/run-library.ts'
import { addExtensions, nearestShots, spaceName, vectorState } from '../../apps/cluster/library/shot-table.ts'
import { stamp } from '../../src/core/evidence.ts'
import { video } from '../support/command-line.ts'
import { randomFrom } from '../support/word-stock.ts'

// PostgreSQL in this process with pgvector, which Debian 12 has no package of.
const dimensions = 32
const encoder = { by: 'embed-image/test', version: '1', dimensions }
const space = spaceName(encoder)
let lite: PGlite
let database: Pick<Database, 'query' | 'transaction'>

beforeAll(async () => {
  lite = await PGlite.create({ extensions: { vector, pg_trgm } })
  const over = (sql: Pick<PGlite, 'query'>): Sql => ({
    async query<Row extends object>(text: string, values?: unknown[]) {
      const { rows, affectedRows } = await sql.query<Row>(text, values)
      return { rows, rowCount: rows.length || (affectedRows ?? 0) }
    },
  })
  database = {
    query: over(lite).query,
    transaction: run => lite.transaction(sql => run(over(sql))),
  }
  await migrate(database)
  expect(await addExtensions(database)).toEqual([])
  for (let at = 0; at < 20; at++) await fill(at)
})
afterAll(() => lite?.close())

test('as the database of a cluster it is unfit: all who connect would share one session', async () => {
  expect(await serverVersion(database)).toMatchObject({ unfit: expect.stringContaining('one session') })
})

const id = (at: number) => `v${String(at).padStart(20, '0')}`
const random = randomFrom(5)
const around = (centre: readonly number[], spread: number) => centre.map(one => one + spread * (random() - 0.5))
const centres = Array.from({ length: 20 }, () =>
  around(
    Array.from({ length: dimensions }, () => 0),
    2,
  ),
)

async function fill(at: number) {
  const one = { ...video, id: id(at), name: `clip-${at}.mp4` }
  const row = stamp({ span: { start: 0, end: 5 }, track: 'speech', text: `lighthouse number ${at}` }, one.id, 'a/b')
  const terms = new Map(`lighthous number ${at}`.split(' ').map(term => [term, 1]))
  const shots = Array.from({ length: 15 }, (_, shot) => ({ shot, time: shot, vector: around(centres[at]!, 0.3) }))
  await fillVideo(database, {
    ...{ video: one, rows: [row], terms: [{ id: row.id, terms, damping: 1.2 }], shots: { ...encoder, shots } },
  })
}

test('the shots nearest to a picture are found, in all videos or in some', async () => {
  const near = await database.transaction(sql => nearestShots(sql, space, centres[7]!, { limit: 5 }))
  expect(new Set(near.map(({ video }) => video))).toEqual(new Set([id(7)]))
  expect(near[0]!.score).toBeGreaterThan(near[4]!.score)
  const some = await database.transaction(sql => nearestShots(sql, space, centres[7]!, { limit: 5, only: [id(3)] }))
  expect(some.map(({ video }) => video)).toEqual(Array(5).fill(id(3)))
})

test('what is seen brings its video to the candidates beside what is said', async () => {
  const picture = { space, vector: centres[4]! }
  const { videos } = await database.transaction(sql => findCandidates(sql, { query: 'nothing', limit: 12, picture }))
  expect(videos).toEqual([id(4)])
  const both = await database.transaction(sql => findCandidates(sql, { query: 'lighthouse 9', limit: 12, picture }))
  expect(both.videos[0]).toBe(id(9))
  expect(both.videos).toContain(id(4))
})

test('the index finds what an exact scan finds, which is measured on the vectors themselves', async () => {
  expect(await vectorState(database)).toBe('on')
  const [measured] = (await measureRecall(database)) ?? []
  expect(measured).toMatchObject({ space, by: 'embed-image/test', shots: 300, queries: 40 })
  expect(measured!.recall).toBeGreaterThan(0.95)
})

test('the shots of a video go with it, and another encoder has a space of its own', async () => {
  await database.transaction(sql => emptyVideo(sql, id(7)))
  const near = await database.transaction(sql => nearestShots(sql, space, centres[7]!, { limit: 5 }))
  expect(near.map(({ video }) => video)).not.toContain(id(7))
  expect(spaceName({ ...encoder, version: '2' })).not.toBe(space)
  const other = spaceName({ ...encoder, by: 'embed-image/other' })
  expect(await database.transaction(sql => nearestShots(sql, other, centres[7]!, { limit: 5 }))).toEqual([])
  await fill(7)
})
