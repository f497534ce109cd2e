import { breather } from '../core/breathe.ts'
import type { Database } from '../store/sqlite.ts'

// Rows that hold a stem, in order; a row is there as often as it holds it.
export type Postings = (stem: string) => ArrayLike<number>

// From this many on, fetching the rows one by one is what a search would spend its time on.
const frequent = 200

// Packs the rows of frequent stems, beside SQLite's own posting lists, so that one of ten thousand is read as one value.
export async function buildPostings(database: Database, signal?: AbortSignal): Promise<void> {
  database.exec(`
    CREATE TABLE packed(stem TEXT PRIMARY KEY, rows BLOB) WITHOUT ROWID;
    CREATE VIRTUAL TABLE places USING fts5vocab(words, instance)`)
  const stems = database.prepare<[number], string>('SELECT stem FROM vocabulary WHERE rows >= ?').pluck().all(frequent)
  const places = database.prepare<[string], number>('SELECT doc FROM places WHERE term = ?').pluck()
  const insert = database.prepare('INSERT INTO packed VALUES (?, ?)')
  const breathe = breather(signal)
  for (const stem of stems) {
    const pause = breathe()
    if (pause) await pause
    insert.run(stem, Buffer.from(Uint32Array.from(places.all(stem)).buffer))
  }
  database.exec('DROP TABLE places')
}

export function openPostings(database: Database): Postings {
  database.exec('CREATE VIRTUAL TABLE temp.places USING fts5vocab(main, words, instance)')
  const packed = database.prepare<[string], Buffer>('SELECT rows FROM packed WHERE stem = ?').pluck()
  const places = database.prepare<[string], number>('SELECT doc FROM temp.places WHERE term = ?').pluck()
  return stem => {
    const found = packed.get(stem)
    if (!found) return places.all(stem)
    return new Uint32Array(found.buffer.slice(found.byteOffset, found.byteOffset + found.length))
  }
}
