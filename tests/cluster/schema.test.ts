import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkSchema, migrate, schemaFound, schemaNeeded } from '../../apps/cluster/data/schema/index.ts'
import type { Sql } from '../../apps/cluster/data/sql.ts'
import { freshDatabase } from '../support/postgres.ts'

let pool: pg.Pool
let sql: Sql
const transaction = async <T>(run: (sql: Sql) => Promise<T>): Promise<T> => {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await run(client as unknown as Sql)
    await client.query('commit')
    return result
  } finally {
    client.release()
  }
}

beforeAll(async () => {
  pool = new pg.Pool({ connectionString: await freshDatabase() })
  sql = pool as unknown as Sql
})
afterAll(() => pool.end())

test('a database without tables is refused with the command that makes them', async () => {
  await expect(checkSchema(sql)).rejects.toMatchObject({ exitCode: 2, hint: 'Run: longtake cluster init' })
})

test('two who make the schema at once make it once, and a second time changes nothing', async () => {
  const both = await Promise.all([migrate({ transaction }), migrate({ transaction })])
  expect(both.flat()).toHaveLength(schemaNeeded)
  expect(await migrate({ transaction })).toEqual([])
  await checkSchema(sql)
})

test('whoever is older is named', async () => {
  await sql.query('insert into longtake.migration (n) values ($1)', [schemaNeeded + 1])
  await expect(checkSchema(sql)).rejects.toThrow('This longtake is older than the database')
  await expect(migrate({ transaction })).rejects.toThrow('This longtake is older than the database')
  await sql.query('delete from longtake.migration where n >= $1', [schemaNeeded])
  await expect(checkSchema(sql)).rejects.toThrow('The database of the cluster is older than this longtake')
  await sql.query('insert into longtake.migration (n) values ($1)', [schemaNeeded])
  expect(await schemaFound(sql)).toBe(schemaNeeded)
})

test('nobody is wanted where nothing waits, also before the engine has its tables', async () => {
  expect((await sql.query("select longtake.wanted_workers('gpu') as wanted")).rows).toEqual([{ wanted: 0 }])
})
