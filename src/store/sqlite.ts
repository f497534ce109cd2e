import { access, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { BackendError, errorCode } from '../core/errors.ts'
import { howToBuild, isBuilt } from '../core/machine/native-packages.ts'
import { fileModes } from './durable.ts'

type SqlValue = string | number | bigint | Uint8Array | null

// An open SQLite file. What is prepared here runs as often as it is called.
export interface Sqlite {
  exec(sql: string): void
  run(sql: string): (...values: SqlValue[]) => void
  value<T>(sql: string): (...values: SqlValue[]) => T | undefined // the first column of the first row
  values<T>(sql: string): (...values: SqlValue[]) => T[] // the first column
  rows<T extends unknown[]>(sql: string): (...values: SqlValue[]) => T[]
  close(): void // once more does nothing
}

interface OpenOptions {
  mode: 'read' | 'write'
  waitMilliseconds?: number // for the lock of another process
}

// What both libraries have in common. Rows are arrays.
interface Connection {
  exec(sql: string): unknown
  prepare(sql: string): Statement
  close(): void
}
interface Statement {
  run(...values: SqlValue[]): unknown
  get(...values: SqlValue[]): unknown[] | undefined
  all(...values: SqlValue[]): unknown[][]
}

export interface SqliteDriver {
  missing(): string | undefined // why it cannot be used here
  open(file: string, mode: OpenOptions['mode']): Promise<Connection>
}

// Node's own SQLite comes first: nothing is compiled for it (docs/decisions/2026-11-22-sqlite-of-node.md).
export const sqliteDrivers: Record<'node:sqlite' | 'better-sqlite3', SqliteDriver> = {
  'node:sqlite': {
    missing: () => (nodeSqlite() ? undefined : `Node ${process.versions.node} has no SQLite with full-text search`),
    async open(file, mode) {
      const library = nodeSqlite() as NodeSqlite
      // Defensive, as the package opens files and newer versions of Node do: no SQL damages a file.
      return fromNode(named(() => new library.DatabaseSync(file, { readOnly: mode === 'read', defensive: true })))
    },
  },
  'better-sqlite3': {
    missing: () => (isBuilt('better-sqlite3') ? undefined : 'better-sqlite3 is not installed'),
    async open(file, mode) {
      const { default: Library } = await import('better-sqlite3')
      const database = new Library(file, { readonly: mode === 'read', fileMustExist: mode === 'read', timeout: 0 })
      return {
        exec: sql => database.exec(sql),
        prepare(sql) {
          const statement = database.prepare<SqlValue[], unknown[]>(sql)
          return statement.reader ? statement.raw() : statement
        },
        close: () => void database.close(),
      }
    },
  },
}

// Opens an SQLite file. The library loads on first use.
export async function openSqlite(file: string, options: OpenOptions, driver = usualDriver()): Promise<Sqlite> {
  if (options.mode === 'read')
    await access(file) // the library itself does not say which file is missing
  else await makePrivate(file)
  // As a whole path, nothing in the name is taken for a URI.
  return prepared(await driver.open(resolve(file), options.mode), options.waitMilliseconds)
}

// One without a file, for what only SQLite can do to words.
export async function openMemory(): Promise<Sqlite> {
  return prepared(await usualDriver().open(':memory:', 'write'))
}

function prepared(connection: Connection, waitMilliseconds = 5000): Sqlite {
  // With two processes every later pragma may meet the other's lock; this one touches no file. A view in a stranger's file calls nothing.
  connection.exec(`PRAGMA busy_timeout = ${waitMilliseconds}; PRAGMA trusted_schema = OFF`)
  return {
    exec: sql => void connection.exec(sql),
    run(sql) {
      const statement = connection.prepare(sql)
      return (...values) => void statement.run(...values)
    },
    value<T>(sql: string) {
      const statement = connection.prepare(sql)
      return (...values: SqlValue[]) => statement.get(...values)?.[0] as T | undefined
    },
    values<T>(sql: string) {
      const statement = connection.prepare(sql)
      return (...values: SqlValue[]) => statement.all(...values).map(([first]) => first as T)
    },
    rows<T extends unknown[]>(sql: string) {
      const statement = connection.prepare(sql)
      return (...values: SqlValue[]) => statement.all(...values) as T[]
    },
    close: () => connection.close(),
  }
}

function usualDriver(): SqliteDriver {
  const { 'node:sqlite': own, 'better-sqlite3': other } = sqliteDrivers
  if (!own.missing()) return own
  if (!other.missing()) return other
  throw new BackendError(`There is no SQLite: ${own.missing()}, and ${other.missing()}.`, {
    hint: `Use Node 22.16 or newer, or run: ${howToBuild('better-sqlite3')}`,
  })
}

// What is used of node:sqlite, which the types of the oldest Node do not have.
interface NodeSqlite {
  DatabaseSync: new (file: string, options: object) => NodeDatabase
  StatementSync: { prototype: object }
}
interface NodeDatabase extends Connection {
  prepare(sql: string): Statement & { setReturnArrays(on: true): void }
}

// Full-text search and rows as arrays came with the same version, Node 22.16.
function nodeSqlite(): NodeSqlite | undefined {
  const { emitWarning } = process
  // Some versions warn, while they load it, that it is experimental: that one warning is dropped, in this one call.
  const otherWarnings = (...warning: [string]) => {
    if (!/^SQLite is an experimental feature/.test(String(warning[0]))) emitWarning.call(process, ...warning)
  }
  process.emitWarning = otherWarnings as typeof emitWarning
  try {
    const sqlite = process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined
    return sqlite && 'setReturnArrays' in sqlite.StatementSync.prototype ? sqlite : undefined
  } finally {
    process.emitWarning = emitWarning
  }
}

function fromNode(database: NodeDatabase): Connection {
  let isOpen = true
  return {
    exec: sql => named(() => database.exec(sql)),
    prepare(sql) {
      const statement = named(() => database.prepare(sql))
      statement.setReturnArrays(true)
      return {
        run: (...values) => named(() => statement.run(...values)),
        get: (...values) => named(() => statement.get(...values)),
        all: (...values) => named(() => statement.all(...values)),
      }
    },
    close() {
      if (isOpen) named(() => database.close())
      isOpen = false
    },
  }
}

// The result codes of SQLite that someone asks for by name.
const codes: Record<number, string> = {
  5: 'SQLITE_BUSY',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
}

// Node gives all errors of SQLite one code, and SQLite's as a number whose lowest byte is the kind.
function named<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Error && 'errcode' in error)
      Object.assign(error, { code: codes[Number(error.errcode) & 0xff] ?? 'SQLITE_ERROR' })
    throw error
  }
}

// SQLite itself makes files with the umask; its journals then take the mode of the file. A file that exists is not opened:
// closing it would release the locks that another connection of this process holds on it.
async function makePrivate(file: string): Promise<void> {
  try {
    await (await open(file, 'wx', fileModes.private)).close()
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}
