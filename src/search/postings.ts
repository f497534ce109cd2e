import { breather } from '../core/signals.ts'
import type { Sqlite } from '../store/sqlite.ts'

// Rows that hold a stem, in order; a row is there as often as it holds it.
export type Postings = (stem: string) => ArrayLike<number>

// From this many on, fetching the rows one by one is what a search would spend its time on.
const frequent = 200

// Packs the rows of frequent stems, beside SQLite's own posting lists, so that one of ten thousand is read as one value.
export async function buildPostings(database: Sqlite, signal?: AbortSignal): Promise<void> {
  database.exec(`
    CREATE TABLE packed(stem TEXT PRIMARY KEY, rows BLOB) WITHOUT ROWID;
    CREATE VIRTUAL TABLE places USING fts5vocab(words, instance)`)
  const stems = database.values<string>('SELECT stem FROM vocabulary WHERE rows >= ?')(frequent)
  const places = database.values<number>('SELECT doc FROM places WHERE term = ?')
  const insert = database.run('INSERT INTO packed VALUES (?, ?)')
  const breathe = breather(signal)
  for (const stem of stems) {
    const pause = breathe()
    if (pause) await pause
    insert(stem, Buffer.from(Uint32Array.from(places(stem)).buffer))
  }
  database.exec('DROP TABLE places')
}

export function openPostings(database: Sqlite): Postings {
  database.exec('CREATE VIRTUAL TABLE temp.places USING fts5vocab(main, words, instance)')
  const packed = database.value<Uint8Array<ArrayBuffer>>('SELECT rows FROM packed WHERE stem = ?')
  const places = database.values<number>('SELECT doc FROM temp.places WHERE term = ?')
  return stem => {
    const found = packed(stem)
    if (!found) return places(stem)
    return new Uint32Array(found.buffer.slice(found.byteOffset, found.byteOffset + found.length))
  }
}
