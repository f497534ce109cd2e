import { access } from 'node:fs/promises'
import type { Database } from 'better-sqlite3'

// Opens an SQLite file. The library is native and loads on first use.
export async function openSqlite(
  file: string,
  options: { mode: 'read' | 'write'; waitMilliseconds?: number },
): Promise<Database> {
  if (options.mode === 'read') await access(file) // the library itself does not say which file is missing
  const { default: Sqlite } = await import('better-sqlite3')
  // The timeout is set while opening: with two processes, every pragma after it may meet the other's lock.
  return new Sqlite(file, {
    readonly: options.mode === 'read',
    fileMustExist: options.mode === 'read',
    timeout: options.waitMilliseconds ?? 5000,
  })
}
