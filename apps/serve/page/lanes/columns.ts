import type { LaneColumn } from '../../../../src/core/api/lanes-format.ts'
import type { Track } from '../../../../src/core/evidence.ts'
import type { Span } from '../../../../src/core/time.ts'

export type LaneName = Track | 'looked' | 'searched' | 'cited'

// The spans of a lane in milliseconds, by start. `reach` is the latest end so far, so that long rows are found by bisection too.
export interface Column {
  starts: Uint32Array
  ends: Uint32Array
  reach: Uint32Array
  drawn?: Column // what is drawn of it, if that is less
}

export function buildColumn({ starts, ends }: Pick<LaneColumn, 'starts' | 'ends'>): Column {
  const reach = new Uint32Array(ends.length)
  let latest = 0
  for (let row = 0; row < ends.length; row++) {
    latest = Math.max(latest, ends[row] ?? 0)
    reach[row] = latest
  }
  return { starts, ends, reach }
}

// A lane as it is drawn: silence is not a sound, and a text that stays is a mark where it comes.
export function columnOfLane({ lane, starts, ends, silent }: LaneColumn, duration: number): Column {
  const column = buildColumn({ starts, ends })
  if (silent) {
    const quiet = new Set(silent)
    const isLoud = (_: number, row: number) => !quiet.has(row)
    return { ...column, drawn: buildColumn({ starts: starts.filter(isLoud), ends: ends.filter(isLoud) }) }
  }
  if (lane !== 'text') return column
  const long = Math.max(30_000, duration * 100) // a tenth of the video
  const shortened = ends.map((end, row) => (end - (starts[row] ?? 0) > long ? (starts[row] ?? 0) + 1000 : end))
  return { ...column, drawn: buildColumn({ starts, ends: shortened }) }
}

export function columnOfSpans(spans: readonly Span[]): Column {
  const sorted = [...spans].sort((a, b) => a.start - b.start || a.end - b.end)
  const times = (of: (span: Span) => number) => Uint32Array.from(sorted, span => Math.round(of(span) * 1000))
  return buildColumn({ starts: times(span => span.start), ends: times(span => span.end) })
}

// The first place whose value is greater than `limit`; all of them are in order.
export function firstAfter(values: Uint32Array, limit: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((values[middle] ?? 0) > limit) high = middle
    else low = middle + 1
  }
  return low
}

// The row that a moment is in, the one begun last; or the one begun last before it where `nearest`.
export function rowAt(column: Column, time: number, nearest = false): number | undefined {
  const before = firstAfter(column.starts, time) - 1
  for (let row = before; row >= 0 && (column.reach[row] ?? 0) > time; row--)
    if ((column.ends[row] ?? 0) > time) return row
  return nearest && before >= 0 ? before : undefined
}

// The next row that begins after a moment, or the last that begins before it.
export function rowBeside(column: Column, time: number, direction: 1 | -1): number | undefined {
  const row = direction === 1 ? firstAfter(column.starts, time) : firstAfter(column.starts, time - 1) - 1
  return row >= 0 && row < column.starts.length ? row : undefined
}
