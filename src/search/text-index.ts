import { breather } from '../core/basics/signals.ts'
import { StorageError } from '../core/errors.ts'
import { byTime, type Evidence } from '../core/evidence.ts'
import { nameOfSpeaker } from '../core/speakers.ts'
import { openSqlite, type Sqlite } from '../store/sqlite.ts'
import { onDisk } from '../store/storage-error.ts'
import { buildVocabulary, openVocabulary } from './near-words.ts'
import { lookUp, stemmer } from './query-lookup.ts'
import {
  acceptor,
  buildPostings,
  emptyColumns,
  openPostings,
  type RowFilter,
  readColumns,
  writeColumns,
} from './text-columns.ts'
import { indexedText, tokenizer } from './text-words.ts'
import { nearestHeap } from './vectors/nearest.ts'

interface TextHit {
  id: string
  score: number
  terms: string[] // the words of the query that the row holds, or something near enough
  coverage: number // 0..1, what share of the query those words are; a rare word is a larger share
}

// A word of a query, and how many rows of this index hold it.
export interface WeighedWord {
  text: string
  rows: number
  rarity: number // what it weighs in this index
}

export interface TextFilter extends RowFilter {
  limit: number
}

export interface TextIndex {
  size: number
  search(query: string, filter: TextFilter): TextHit[]
  words(query: string): WeighedWord[] // those that a search goes by
  close(): void
}

const format = 1
const maxCounted = 65_535 // words of a row: two bytes a row are kept

// How fast a word repeated in a row stops counting, and how much long rows are held back: the usual ones of BM25.
export const saturation = 1.2
const lengthWeight = 0.75

// Writes the words of all rows into one SQLite file.
export async function buildTextIndex(file: string, evidence: readonly Evidence[], signal?: AbortSignal): Promise<void> {
  await onDisk(`write the text index ${file}`, async () => {
    const database = await openSqlite(file, { mode: 'write' })
    try {
      // The file is thrown away when this is interrupted, so its journal need not be on disk.
      database.exec(`
        PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA user_version = ${format};
        BEGIN;
        CREATE VIRTUAL TABLE words USING fts5(text, content='', tokenize='${tokenizer}');
        CREATE TABLE rows(row INTEGER PRIMARY KEY, id TEXT);
        CREATE TABLE columns(name TEXT PRIMARY KEY, bytes BLOB) WITHOUT ROWID`)
      const rows = [...evidence].sort((a, b) => byTime(a, b) || (a.id < b.id ? -1 : 1))
      const columns = emptyColumns(rows.length)
      const addWords = database.run('INSERT INTO words(rowid, text) VALUES (?, ?)')
      const addRow = database.run('INSERT INTO rows VALUES (?, ?)')
      const breathe = breather(signal)
      for (const [at, row] of rows.entries()) {
        const pause = breathe()
        if (pause) await pause
        const { words, length } = indexedText(
          [row.text, row.speaker && nameOfSpeaker(row.speaker)].filter(Boolean).join(' '),
        )
        addWords(at, words)
        addRow(at, row.id)
        columns.starts[at] = row.span.start
        columns.ends[at] = row.span.end
        columns.tracks[at] = columns.trackList.indexOf(row.track)
        columns.lengths[at] = Math.min(length, maxCounted)
      }
      writeColumns(database, columns)
      database.exec("INSERT INTO words(words) VALUES ('optimize')")
      await buildVocabulary(database, signal)
      await buildPostings(database, signal)
      database.exec('COMMIT')
    } finally {
      database.close()
    }
  })
}

export async function openTextIndex(file: string): Promise<TextIndex> {
  return onDisk(`read the text index ${file}`, async () => {
    const database = await openSqlite(file, { mode: 'read' })
    try {
      checkFormat(file, database)
      return searchable(database)
    } catch (error) {
      database.close()
      throw error
    }
  })
}

// The words of a row as the index has them, and how much its length damps them: what a search over many videos needs of it.
export interface RowTerms {
  id: string
  terms: Map<string, number> // how often it holds each
  damping: number
}

export async function readTerms(file: string): Promise<RowTerms[]> {
  return onDisk(`read the text index ${file}`, async () => {
    const database = await openSqlite(file, { mode: 'read' })
    try {
      checkFormat(file, database)
      const damping = computeDamping(readColumns(database).lengths)
      database.exec('CREATE VIRTUAL TABLE temp.all_terms USING fts5vocab(main, words, instance)')
      const terms = new Map<number, Map<string, number>>()
      for (const [term, row] of database.rows<[string, number]>('SELECT term, doc FROM temp.all_terms')()) {
        const termCounts = terms.get(row) ?? new Map<string, number>()
        terms.set(row, termCounts.set(term, (termCounts.get(term) ?? 0) + 1))
      }
      return database
        .rows<[number, string]>('SELECT row, id FROM rows')()
        .map(([row, id]) => ({ id, terms: terms.get(row) ?? new Map(), damping: damping[row] ?? saturation }))
    } finally {
      database.close()
    }
  })
}

// What a row's length makes of `saturation`: the same for every search.
function computeDamping(lengths: Uint16Array): Float64Array {
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)
  return Float64Array.from(lengths, length => saturation * (1 - lengthWeight + (lengthWeight * length) / mean))
}

// BM25 over the posting lists of SQLite's full-text index. It is summed here and not by SQLite's own ranking, since a near
// word must weigh less than the word itself, and each hit must say which words it holds.
function searchable(database: Sqlite): TextIndex {
  const columns = readColumns(database)
  const size = columns.lengths.length
  const vocabulary = openVocabulary(database)
  const stemsOf = stemmer(database)
  const postings = openPostings(database)
  const together = database.values<number>('SELECT rowid FROM words WHERE words MATCH ?')
  const idOf = database.value<string>('SELECT id FROM rows WHERE row = ?')
  const scores = new Float64Array(size)
  const best = new Float64Array(size)
  const wordBits = new Uint32Array(size)
  const damping = computeDamping(columns.lengths)

  const rarity = (rows: number) => computeRarity(rows, size)

  return {
    size,
    words: query =>
      lookUp(query, vocabulary, stemsOf, rarity).map(({ text, rows, rarity }) => ({ text, rows, rarity })),
    search(query, filter) {
      const words = lookUp(query, vocabulary, stemsOf, rarity)
      const accepts = acceptor(columns, filter)
      const touched: number[] = []
      for (const [bit, word] of words.entries()) {
        const reached: number[] = []
        for (const variant of word.variants) {
          const worth = variant.weight * Math.min(rarity(variant.rows), word.rarity) * (saturation + 1)
          const rows: ArrayLike<number> = variant.pair ? together(variant.pair) : postings(variant.stem)
          for (let at = 0; at < rows.length; ) {
            const row = rows[at]!
            const from = at
            while (at < rows.length && rows[at] === row) at++
            if (!accepts(row)) continue
            if (best[row] === 0) reached.push(row)
            best[row] = Math.max(best[row]!, (worth * (at - from)) / (at - from + damping[row]!))
          }
        }
        for (const row of reached) {
          if (wordBits[row] === 0) touched.push(row)
          wordBits[row]! |= 1 << bit
          scores[row]! += best[row]!
          best[row] = 0
        }
      }
      const heap = nearestHeap(Math.min(filter.limit, touched.length))
      for (const row of touched) if (scores[row]! >= heap.floor()) heap.offer(row, scores[row]!)
      const whole = words.reduce((sum, word) => sum + word.rarity, 0)
      const hits = heap.best().map(({ key, score }) => {
        const rowWords = words.filter((_, bit) => (wordBits[key]! >>> bit) & 1)
        const share = rowWords.reduce((sum, word) => sum + word.rarity, 0) / whole
        return { id: idOf(key) ?? '', score, terms: rowWords.map(word => word.text), coverage: share }
      })
      for (const row of touched) {
        scores[row] = 0
        wordBits[row] = 0
      }
      return hits
    },
    close: database.close,
  }
}

// What a word weighs that so many of so many rows hold.
export function computeRarity(rows: number, size: number): number {
  return Math.log(1 + (size - rows + 0.5) / (rows + 0.5))
}

function checkFormat(file: string, database: Sqlite): void {
  const storedFormat = database.value<number>('PRAGMA user_version')()
  if (storedFormat === format) return
  const newer = storedFormat !== undefined && storedFormat > format
  throw new StorageError(
    newer
      ? `${file} was written by a newer longtake (format ${storedFormat}; this one reads up to ${format}).`
      : `${file} is not a text index of longtake.`,
    { hint: newer ? 'Update longtake, or set LONGTAKE_HOME to another folder.' : 'Index the video again.' },
  )
}
