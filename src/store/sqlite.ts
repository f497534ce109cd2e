import { access } from 'node:fs/promises'
import type { Database } from 'better-sqlite3'

// Opens an SQLite file. The library is native and loads on first use.
export async function openSqlite(
  file: string,
  options: { mode: 'read' | 'write'; waitMilliseconds?: number },
): Promise<Database> {
  if (options.mode === 'read') await access(file) // the library itself does not say which file is missing
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
