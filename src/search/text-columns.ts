import { Track } from '../core/evidence.ts'
import { type Span, touches } from '../core/time.ts'
import type { Sqlite } from '../store/sqlite.ts'

// What is known of each row besides its words, as plain lists: a search looks at them millions of times.
export interface Columns {
  starts: Float64Array
  ends: Float64Array
  tracks: Uint8Array
  lengths: Uint16Array
}

export function emptyColumns(size: number): Columns {
  return {
    starts: new Float64Array(size),
    ends: new Float64Array(size),
    tracks: new Uint8Array(size),
    lengths: new Uint16Array(size),
  }
}

export function readColumns(database: Sqlite): Columns {
  const read = database.value<Uint8Array<ArrayBuffer>>('SELECT bytes FROM columns WHERE name = ?')
  const bytes = (name: string) => {
    const found = read(name)
    return found ? found.buffer.slice(found.byteOffset, found.byteOffset + found.length) : new ArrayBuffer(0)
  }
  return {
    starts: new Float64Array(bytes('starts')),
    ends: new Float64Array(bytes('ends')),
    tracks: new Uint8Array(bytes('tracks')),
    lengths: new Uint16Array(bytes('lengths')),
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
export function acceptor({ starts, ends, tracks }: Columns, filter: RowFilter): (row: number) => boolean {
  const wanted = filter.tracks?.map(track => Track.options.indexOf(track))
  const { span, after = Number.NEGATIVE_INFINITY, before = Number.POSITIVE_INFINITY } = filter
  return row =>
    starts[row] >= after &&
    starts[row] < before &&
    (!wanted || wanted.includes(tracks[row])) &&
    (!span || touches({ start: starts[row], end: ends[row] }, span))
}
