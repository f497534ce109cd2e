import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, ClientConfig, Pool, PoolClient } from 'pg'
import { connectionString, shownAddress } from './database-address.ts'
import { databaseFault, isAway } from './database-faults.ts'
import { listening } from './listening.ts'
import type { Database, QueryResult, Sql } from './sql.ts'

export interface DatabaseOptions {
  environment?: Readonly<Record<string, string | undefined>>
  patience?: number // seconds that a database which is away is waited for
  opening?: number // the same for the first answer
  answer?: number // seconds that one statement may take before its connection counts as cut
  connections?: number
  signal?: AbortSignal
}

// A pool of connections that live for one statement or one transaction, so a PgBouncer in transaction mode may stand between. What
// a connection that broke had begun is begun again, so a statement must do the same when it is run twice.
export async function openDatabase(address: string, options: DatabaseOptions = {}): Promise<Database> {
  const { environment = process.env, patience = 5, opening = patience, answer = 60, connections = 4, signal } = options
  const where = shownAddress(address)
  const { default: pg } = await import('pg')
  const config: ClientConfig = {
    connectionString: connectionString(address, environment),
    application_name: 'longtake',
    connectionTimeoutMillis: 10_000,
    query_timeout: answer * 1000,
    keepAlive: true,
    types: { getTypeParser: (oid, format) => (oid === int8 ? Number : pg.types.getTypeParser(oid, format)) },
  }
  const pool = new pg.Pool({ ...config, max: connections, idleTimeoutMillis: 30_000, allowExitOnIdle: true })
  pool.on('error', () => {}) // an idle connection that breaks is replaced by the next one
  const patient = async <T>(work: () => Promise<T>, seconds = patience, isFirst = false): Promise<T> => {
    try {
      return await persist(work, seconds, signal)
    } catch (error) {
      throw databaseFault(error, where, isFirst)
    }
  }
  const query = <Row extends object>(text: string, values?: unknown[]) => patient(() => run<Row>(pool, text, values))
  const closers = new Set<() => Promise<void>>()
  const database: Database = {
    query,
    transaction: work => patient(() => inTransaction(pool, work)),
    async notify(word, sql = database) {
      await sql.query("select pg_notify('longtake', $1)", [word])
    },
    async listen(heard) {
      const stop = await listening(
        () => new pg.Client({ ...config, query_timeout: undefined }) as Client,
        database,
        heard,
      )
      closers.add(stop)
      return async () => {
        closers.delete(stop)
        await stop()
      }
    },
    async close() {
      await Promise.all([...closers].map(stop => stop()))
      await pool.end()
    },
  }
  try {
    await patient(() => run(pool, 'select 1'), opening, true)
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

const int8 = 20 // its values are counts and bytes here, which a number holds

async function run<Row extends object>(
  client: Pool | PoolClient,
  text: string,
  values?: unknown[],
): Promise<QueryResult<Row>> {
  const result = await client.query<Row>(text, values)
  return Object.assign(result, { rowCount: result.rowCount ?? 0 }) // several statements at once give a list of results
}

async function inTransaction<T>(pool: Pool, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  const onError = (error: Error) => {
    broken = error
  }
  client.on('error', onError)
  try {
    await client.query('begin')
    const result = await work({ query: (text, values) => run(client, text, values) })
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((failed: Error) => {
      broken ??= failed
    })
    throw error
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}

// Tries again while the database is away, for at most that many seconds; so `work` must be such that twice does as much as once.
async function persist<T>(work: () => Promise<T>, seconds: number, signal?: AbortSignal): Promise<T> {
  const until = performance.now() + seconds * 1000
  for (let wait = 50; ; wait = Math.min(wait * 2, 2000)) {
    try {
      return await work()
    } catch (error) {
      if (!isAway(error) || signal?.aborted || performance.now() + wait > until) throw error
      await sleep(wait * (0.5 + Math.random()), undefined, { signal })
    }
  }
}
