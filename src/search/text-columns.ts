import { breather } from '../core/basics/signals.ts'
import type { Track } from '../core/evidence.ts'
import { type Span, touches } from '../core/time.ts'
import { trackNames } from '../core/words/track-names.ts'
import type { Sqlite } from '../store/sqlite.ts'

// What is known of each row besides its words, as plain lists: a search looks at them millions of times.
interface Columns {
  starts: Float64Array
  ends: Float64Array
  tracks: Uint8Array
  lengths: Uint16Array
  trackList: readonly string[] // a row's track is a place in this list
}

// An index from before it named its tracks has them in this order.
const firstTracks = ['speech', 'sound', 'text', 'picture', 'shot', 'summary', 'claim', 'caption', 'person']

export function writeColumns(database: Sqlite, { trackList, ...columns }: Columns): void {
  const add = database.run('INSERT INTO columns VALUES (?, ?)')
  for (const [name, values] of Object.entries(columns)) add(name, Buffer.from(values.buffer))
  add('trackList', Buffer.from(JSON.stringify(trackList)))
}

export function emptyColumns(size: number): Columns {
  return {
    starts: new Float64Array(size),
    ends: new Float64Array(size),
    tracks: new Uint8Array(size),
    lengths: new Uint16Array(size),
    trackList: trackNames,
  }
}

export function readColumns(database: Sqlite): Columns {
  const read = database.value<Uint8Array<ArrayBuffer>>('SELECT bytes FROM columns WHERE name = ?')
  const trackList = new TextDecoder().decode(read('trackList'))
  const bytes = (name: string) => ownBuffer(read(name) ?? new Uint8Array())
  return {
    starts: new Float64Array(bytes('starts')),
    ends: new Float64Array(bytes('ends')),
    tracks: new Uint8Array(bytes('tracks')),
    lengths: new Uint16Array(bytes('lengths')),
    trackList: trackList.length > 0 ? (JSON.parse(trackList) as string[]) : firstTracks,
  }
}

// Which rows a search looks at.
export interface RowFilter {
  tracks?: readonly Track[]
  span?: Span // rows that touch it
  after?: number // rows that begin at this second or later
  before?: number // rows that begin before this second
}

// Whether a row is one that the filter asks for.
export function acceptor({ starts, ends, tracks, trackList }: Columns, filter: RowFilter): (row: number) => boolean {
  const trackNumbers = filter.tracks?.map(track => trackList.indexOf(track))
  const { span, after = Number.NEGATIVE_INFINITY, before = Number.POSITIVE_INFINITY } = filter
  return row =>
    starts[row]! >= after &&
    starts[row]! < before &&
    (!trackNumbers || trackNumbers.includes(tracks[row]!)) &&
    (!span || touches({ start: starts[row]!, end: ends[row]! }, span))
}

// Rows that hold a stem, in order; a row is there as often as it holds it.
type Postings = (stem: string) => ArrayLike<number>

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
    const bytes = packed(stem)
    if (!bytes) return places(stem)
    return new Uint32Array(ownBuffer(bytes))
  }
}

// The library's bytes may begin anywhere in a buffer; numbers of several bytes may not.
function ownBuffer({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): ArrayBuffer {
  return buffer.slice(byteOffset, byteOffset + length)
}
