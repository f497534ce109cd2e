import { access, open } from 'node:fs/promises'
import type { Database } from 'better-sqlite3'
import { errorCode } from '../core/errors.ts'
import { fileModes } from './durable.ts'

export type { Database }

// Opens an SQLite file. The library is native and loads on first use.
export async function openSqlite(
  file: string,
  options: { mode: 'read' | 'write'; waitMilliseconds?: number },
): Promise<Database> {
  if (options.mode === 'read')
    await access(file) // the library itself does not say which file is missing
  else await makePrivate(file)
  const Sqlite = await driver()
  // The timeout is set while opening: with two processes, every pragma after it may meet the other's lock.
  return new Sqlite(file, {
    readonly: options.mode === 'read',
    fileMustExist: options.mode === 'read',
    timeout: options.waitMilliseconds ?? 5000,
  })
}

// Version 13 needs Node-API 10, which Node 20 lacks. Version 12, compiled with the headers of Node 24.19 or newer, aborts the
// process when a statement is collected (docs/decisions/2026-11-22-two-versions-of-sqlite.md).
async function driver(): Promise<typeof import('better-sqlite3')> {
  if (Number(process.versions.napi) < 10) return (await import('better-sqlite3')).default
  return (await import('better-sqlite3-napi')).default
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
