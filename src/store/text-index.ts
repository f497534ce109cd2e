import type { Database } from 'better-sqlite3'
import { StorageError } from '../core/errors.ts'
import { byTime, type Evidence, Track } from '../core/evidence.ts'
import { type Span, touches } from '../core/time.ts'
import { buildVocabulary, openVocabulary, type Variant } from './near-words.ts'
import { openSqlite } from './sqlite.ts'
import { onDisk } from './storage-error.ts'
import { indexedText, neighbourPairs, type QueryWord, queryWords, tokenizer } from './text-words.ts'
import { nearestHeap } from './vectors/nearest.ts'

export interface TextHit {
  id: string
  score: number
  terms: string[] // the words of the query that the row holds, or something near enough
  coverage: number // 0..1, what share of the query those words are; a rare word is a larger share
}

export interface TextFilter {
  tracks?: readonly Track[]
  span?: Span // rows that touch it
  after?: number // rows that begin at this second or later
  before?: number // rows that begin before this second
  limit: number
}

export interface TextIndex {
  size: number
  search(query: string, filter: TextFilter): TextHit[]
  close(): void
}

const format = 1

// How fast a word repeated in a row stops counting, and how much long rows are held back: the usual ones of BM25.
const saturation = 1.2
const lengthWeight = 0.75

// Writes the words of all rows into one SQLite file.
export async function buildTextIndex(file: string, evidence: readonly Evidence[]): Promise<void> {
  await onDisk(`write the text index ${file}`, async () => {
    const database = await openSqlite(file, { mode: 'write' })
    try {
      // The file is thrown away when this is interrupted, so it needs no journal.
      database.exec(`
        PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA user_version = ${format};
        BEGIN;
        CREATE VIRTUAL TABLE words USING fts5(text, content='', tokenize='${tokenizer}');
        CREATE TABLE rows(row INTEGER PRIMARY KEY, id TEXT);
        CREATE TABLE columns(name TEXT PRIMARY KEY, bytes BLOB) WITHOUT ROWID`)
      const rows = [...evidence].sort((a, b) => byTime(a, b) || (a.id < b.id ? -1 : 1))
      const columns = emptyColumns(rows.length)
      const addWords = database.prepare('INSERT INTO words(rowid, text) VALUES (?, ?)')
      const addRow = database.prepare('INSERT INTO rows VALUES (?, ?)')
      rows.forEach((row, at) => {
        const { words, length } = indexedText(row.speaker ? `${row.text} ${row.speaker}` : row.text)
        addWords.run(at, words)
        addRow.run(at, row.id)
        columns.starts[at] = row.span.start
        columns.ends[at] = row.span.end
        columns.tracks[at] = Track.options.indexOf(row.track)
        columns.lengths[at] = length
      })
      const addColumn = database.prepare('INSERT INTO columns VALUES (?, ?)')
      for (const [name, values] of Object.entries(columns)) addColumn.run(name, Buffer.from(values.buffer))
      database.exec("INSERT INTO words(words) VALUES ('optimize')")
      buildVocabulary(database)
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

// BM25 over the posting lists of SQLite's full-text index. It is summed here and not by SQLite's own ranking, since a near
// word must weigh less than the word itself, and each hit must say which words it holds.
function searchable(database: Database): TextIndex {
  const columns = readColumns(database)
  const size = columns.lengths.length
  const meanLength = columns.lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, size)
  const vocabulary = openVocabulary(database)
  const stemsOf = stemmer(database)
  database.exec('CREATE VIRTUAL TABLE temp.postings USING fts5vocab(main, words, instance)')
  const postings = database.prepare<[string], number>('SELECT doc FROM temp.postings WHERE term = ?').pluck()
  const together = database.prepare<[string], number>('SELECT rowid FROM words WHERE words MATCH ?').pluck()
  const idOf = database.prepare<[number], string>('SELECT id FROM rows WHERE row = ?').pluck()
  const scores = new Float64Array(size)
  const best = new Float64Array(size)
  const held = new Uint32Array(size)

  const rarity = (rows: number) => Math.log(1 + (size - rows + 0.5) / (rows + 0.5))

  return {
    size,
    search(query, filter) {
      const words = lookUp(query, vocabulary, stemsOf, rarity)
      const accepts = acceptor(columns, filter)
      const touched: number[] = []
      for (const [bit, word] of words.entries()) {
        const reached: number[] = []
        const offer = (row: number, times: number, worth: number) => {
          const length = 1 - lengthWeight + (lengthWeight * columns.lengths[row]) / meanLength
          const score = (worth * times * (saturation + 1)) / (times + saturation * length)
          if (best[row] === 0) reached.push(row)
          if (score > best[row]) best[row] = score
        }
        for (const variant of word.variants) {
          const worth = variant.weight * Math.min(rarity(variant.rows), word.rarity)
          const rows = variant.pair ? together.all(variant.pair) : postings.all(variant.stem)
          for (let at = 0; at < rows.length; ) {
            const row = rows[at]
            let times = 0
            for (; rows[at] === row; at++) times++
            if (accepts(row)) offer(row, times, worth)
          }
        }
        for (const row of reached) {
          if (held[row] === 0) touched.push(row)
          held[row] |= 1 << bit
          scores[row] += best[row]
          best[row] = 0
        }
      }
      const heap = nearestHeap(Math.min(filter.limit, touched.length))
      for (const row of touched) heap.offer(row, scores[row])
      const whole = words.reduce((sum, word) => sum + word.rarity, 0)
      const hits = heap.best().map(({ key, score }) => {
        const own = words.filter((_, bit) => (held[key] >>> bit) & 1)
        const share = own.reduce((sum, word) => sum + word.rarity, 0) / whole
        return { id: idOf.get(key) ?? '', score, terms: own.map(word => word.text), coverage: share }
      })
      for (const row of touched) {
        scores[row] = 0
        held[row] = 0
      }
      return hits
    },
    close: () => void database.close(),
  }
}

interface LookedUp {
  text: string
  rarity: number
  variants: (Variant & { pair?: string })[] // `pair`: two stems that must stand side by side
}

// As many bits as a row has for the words it holds.
const mostWords = 32

// The words of a query with all that may stand for them in this index; the most telling ones where there are too many.
function lookUp(
  query: string,
  vocabulary: ReturnType<typeof openVocabulary>,
  stemsOf: (words: string[]) => string[],
  rarity: (rows: number) => number,
): LookedUp[] {
  const words = queryWords(query)
  const pairs = neighbourPairs(query)
  const joined = (word: QueryWord) => pairs.get(word.text) ?? []
  const forms = [...words.map(word => word.form), ...words.flatMap(joined)]
  const stems = new Map(stemsOf(forms).map((stem, at) => [forms[at], stem]))
  const known = (stem: string, weight: number) => ({ stem, weight, rows: vocabulary.rows(stem) })
  return words
    .map(word => {
      const stem = stems.get(word.form) ?? word.form
      const own = known(stem, 1)
      const variants: LookedUp['variants'] = [
        own,
        ...joined(word).map(form => known(stems.get(form) ?? form, 0.95)),
        ...(own.rows === 0 ? tornApart(stem, vocabulary) : []),
        ...vocabulary.near(stem),
      ].filter(variant => variant.rows > 0)
      const rows = own.rows || Math.max(0, ...variants.map(variant => variant.rows))
      return { text: word.text, rarity: rarity(rows), variants }
    })
    .sort((a, b) => b.rarity - a.rarity)
    .slice(0, mostWords)
    .sort((a, b) => words.findIndex(w => w.text === a.text) - words.findIndex(w => w.text === b.text))
}

// "database" as "data base", where the index knows both halves.
function tornApart(stem: string, vocabulary: ReturnType<typeof openVocabulary>): LookedUp['variants'] {
  const found: LookedUp['variants'] = []
  for (let at = 2; at <= stem.length - 2; at++) {
    const [left, right] = [stem.slice(0, at), stem.slice(at)]
    const rows = Math.min(vocabulary.rows(left), vocabulary.rows(right))
    if (rows > 0) found.push({ stem, weight: 0.9, rows: Math.min(rows, 3), pair: `${quoted(left)} + ${quoted(right)}` })
  }
  return found
}

// The only way into MATCH: a string of the query language, in which nothing is an operator.
function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`
}

// Lets SQLite's own tokenizer find the stems, so that a query can never be cut differently from the rows.
function stemmer(database: Database): (words: string[]) => string[] {
  database.exec(`
    PRAGMA temp_store = MEMORY;
    CREATE VIRTUAL TABLE temp.asked USING fts5(word, tokenize='${tokenizer}');
    CREATE VIRTUAL TABLE temp.asked_stems USING fts5vocab(temp, asked, instance)`)
  const add = database.prepare('INSERT INTO temp.asked(rowid, word) VALUES (?, ?)')
  const read = database.prepare<[], { term: string; doc: number }>('SELECT term, doc FROM temp.asked_stems')
  return database.transaction((words: string[]) => {
    database.exec('DELETE FROM temp.asked')
    words.forEach((word, at) => {
      add.run(at, word)
    })
    const stems = [...words]
    for (const { term, doc } of read.all()) stems[doc] = term
    return stems
  })
}

interface Columns {
  starts: Float64Array
  ends: Float64Array
  tracks: Uint8Array
  lengths: Uint16Array
}

function emptyColumns(size: number): Columns {
  return {
    starts: new Float64Array(size),
    ends: new Float64Array(size),
    tracks: new Uint8Array(size),
    lengths: new Uint16Array(size),
  }
}

function readColumns(database: Database): Columns {
  const read = database.prepare<[string], Buffer>('SELECT bytes FROM columns WHERE name = ?').pluck()
  const bytes = (name: string) => {
    const found = read.get(name)
    return found ? found.buffer.slice(found.byteOffset, found.byteOffset + found.length) : new ArrayBuffer(0)
  }
  return {
    starts: new Float64Array(bytes('starts')),
    ends: new Float64Array(bytes('ends')),
    tracks: new Uint8Array(bytes('tracks')),
    lengths: new Uint16Array(bytes('lengths')),
  }
}

function acceptor({ starts, ends, tracks }: Columns, filter: TextFilter): (row: number) => boolean {
  const wanted = filter.tracks?.map(track => Track.options.indexOf(track))
  const { span, after = Number.NEGATIVE_INFINITY, before = Number.POSITIVE_INFINITY } = filter
  return row =>
    starts[row] >= after &&
    starts[row] < before &&
    (!wanted || wanted.includes(tracks[row])) &&
    (!span || touches({ start: starts[row], end: ends[row] }, span))
}

function checkFormat(file: string, database: Database): void {
  const found = database.pragma('user_version', { simple: true })
  if (found === format) return
  const newer = typeof found === 'number' && found > format
  throw new StorageError(
    newer
      ? `${file} was written by a newer longtake (format ${found}; this one reads up to ${format}).`
      : `${file} is no text index of longtake.`,
    { hint: newer ? 'Update longtake, or set LONGTAKE_HOME to another folder.' : 'Index the video again.' },
  )
}
