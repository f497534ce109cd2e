import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, ClientConfig, Pool, PoolClient } from 'pg'
import {
  BackendError,
  errorCode,
  errorText,
  LongtakeError,
  StorageError,
  UsageError,
} from '../../../src/core/errors.ts'
import { connectionString, shownAddress } from './database-address.ts'
import type { Database, QueryResult, Sql } from './sql.ts'

interface DatabaseOptions {
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
    types: {
      getTypeParser(oid, format) {
        const parse = pg.types.getTypeParser(oid, format)
        if (oid === int8) return Number
        return oid === timestamptz ? (text: string) => finiteDate(parse(text)) : parse
      },
    },
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
const timestamptz = 1184
const lastTime = 8.64e15 // milliseconds, of Date

// A column may hold infinity, or a year that Date does not reach.
function finiteDate(parsed: unknown): Date {
  const time = Number(parsed)
  return new Date(Number.isNaN(time) ? lastTime : Math.min(lastTime, Math.max(-lastTime, time)))
}

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

// Words told by NOTIFY, over a connection of its own that is made again when it breaks. Where none arrive (a PgBouncer in transaction
// mode passes none on), it ends by itself: those who listen also poll. Returns what ends it.
async function listening(
  connect: () => Client,
  database: Sql,
  heard: (word: string) => void,
): Promise<() => Promise<void>> {
  const trial = `trial ${randomUUID()}`
  let client: Client | undefined
  let ended = false
  let arrived = false
  let timer: NodeJS.Timeout | undefined
  let wait = 500
  const end = async () => {
    ended = true
    clearTimeout(timer)
    await client?.end().catch(() => {})
  }
  const again = () => {
    if (ended) return
    client = undefined
    timer = setTimeout(() => void begin().catch(again), wait).unref()
    wait = Math.min(wait * 2, 30_000)
  }
  const begin = async () => {
    const mine = connect()
    client = mine
    mine.on('error', () => {})
    mine.on('notification', ({ payload }) => {
      if (payload === trial) {
        arrived = true
        clearTimeout(timer)
      } else if (payload && !payload.startsWith('trial ')) heard(payload)
    })
    try {
      await mine.connect()
      await mine.query('listen longtake')
      await database.query("select pg_notify('longtake', $1)", [trial])
    } catch (error) {
      await mine.end().catch(() => {})
      throw error
    }
    mine.on('end', again)
    wait = 500
    if (!arrived) timer = setTimeout(() => void end(), 5000).unref()
  }
  await begin().catch(again)
  return end
}

// Nothing was done, or what was done is undone: the server is away, restarts, is only read for now, or has no place for one more.
const awayCodes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['EAI_AGAIN', 'EAI_FAIL', 'ENOTFOUND'], // a name server that is away knows no name
  ...['57P01', '57P02', '57P03', '57P05', '53300', '40001', '40P01', '25006'],
])
const awayText = /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable/

// An unknown host, user or database, a certificate that does not hold, a user without the right.
const refusals = /^(ENOTFOUND|28...|3D000|42501|.*(CERT|SIGNATURE|ISSUER).*)$/

function isAway(error: unknown): boolean {
  const code = errorCode(error) ?? ''
  return awayCodes.has(code) || code.startsWith('08') || (code === '' && awayText.test(errorText(error)))
}

// What the database says, as a sentence with what to do. `where` names it without its password; `isFirst`: it has
// never answered, so a host that nobody knows is a wrong address.
export function databaseFault(error: unknown, where: string, isFirst = false): unknown {
  if (error instanceof LongtakeError) return error
  const code = errorCode(error) ?? ''
  const message = errorText(error)
  if (isAway(error) && !(isFirst && code === 'ENOTFOUND'))
    return new BackendError(`The database of the cluster at ${where} does not answer: ${message}.`, {
      cause: error,
      retryable: true,
      hint: 'Start it, or correct LONGTAKE_CLUSTER (cluster.database). `longtake cluster doctor` says more.',
    })
  if (refusals.test(code))
    return new UsageError(`The database of the cluster at ${where} cannot be opened: ${message}.`, {
      cause: error,
      hint: 'Correct LONGTAKE_CLUSTER (cluster.database), or make the user and the database there.',
    })
  if (/does not support SSL/.test(message))
    return new UsageError(`The database of the cluster at ${where} offers no encryption.`, {
      cause: error,
      hint: 'Set "ssl = on" there, or add ?sslmode=disable to the address where its network is trusted.',
    })
  if (code === '53100' || code === '53200')
    return new StorageError(`The database of the cluster at ${where} has no space left: ${message}.`, {
      cause: error,
      hint: 'Make space on its disk; workers go on by themselves.',
    })
  if (code.startsWith('22'))
    return new BackendError(
      `The database of the cluster at ${where} holds a value that longtake does not write: ${message}.`,
      {
        cause: error,
        hint: 'Find out who writes to its tables, and remove or correct that row.',
      },
    )
  if (['42P01', '3F000', '42883', '42703'].includes(code))
    return new BackendError(`The database of the cluster at ${where} lacks a table, column or function: ${message}.`, {
      cause: error,
      retryable: true,
      hint: 'Run: longtake cluster init',
    })
  return error
}
