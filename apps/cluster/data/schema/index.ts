import { UsageError } from '../../../../src/core/errors.ts'
import type { Database, Sql } from '../sql.ts'
import { tables } from './001-tables.ts'
import { wantedWorkers } from './002-wanted-workers.ts'
import { turns } from './003-turns.ts'
import { shards } from './004-shards.ts'
import { libraryTables } from './005-library-tables.ts'

// In their order; one that was released is never changed, a new one is added below. Each is a list of statements.
const migrations: readonly (readonly string[])[] = [tables, wantedWorkers, turns, shards, libraryTables]

// The schema that this longtake works with.
export const schemaNeeded = migrations.length

// Brings the database to `schemaNeeded` and returns the numbers that were run. Two at once do it once: the second waits.
export async function migrate(database: Pick<Database, 'transaction'>): Promise<number[]> {
  return database.transaction(async sql => {
    await sql.query("select pg_advisory_xact_lock(hashtext('longtake migration'))")
    const schemaVersion = await schemaFound(sql)
    if (schemaVersion > schemaNeeded) throw wrongSchema(schemaVersion)
    if (schemaVersion === 0) {
      await sql.query('create schema if not exists longtake')
      await sql.query(
        'create table if not exists longtake.migration (n integer primary key, at timestamptz not null default now())',
      )
    }
    const missing = migrations.map((_, index) => index + 1).filter(n => n > schemaVersion)
    for (const n of missing) {
      for (const statement of migrations[n - 1]!) await sql.query(statement)
      await sql.query('insert into longtake.migration (n) values ($1)', [n])
    }
    return missing
  })
}

// Stops whoever would work with tables that are not those it knows.
export async function checkSchema(sql: Sql): Promise<void> {
  const currentSchema = await schemaFound(sql)
  if (currentSchema !== schemaNeeded) throw wrongSchema(currentSchema)
}

export async function schemaFound(sql: Sql): Promise<number> {
  const there = await sql.query<{ there: boolean }>("select to_regclass('longtake.migration') is not null as there")
  if (!there.rows[0]?.there) return 0
  const { rows } = await sql.query<{ n: number | null }>('select max(n) as n from longtake.migration')
  return rows[0]?.n ?? 0
}

function wrongSchema(found: number): UsageError {
  if (found === 0)
    return new UsageError('The database of the cluster has no tables of longtake yet.', {
      hint: 'Run: longtake cluster init',
    })
  return found < schemaNeeded
    ? new UsageError(
        `The database of the cluster is older than this longtake: it has schema ${found}, and ${schemaNeeded} is needed.`,
        { hint: 'Run `longtake cluster init` once with this version; workers of the older version then stop.' },
      )
    : new UsageError(
        `This longtake is older than the database of the cluster: it knows schema ${schemaNeeded}, the database has ${found}.`,
        { hint: 'Install the version of longtake that the other machines of the cluster run.' },
      )
}
