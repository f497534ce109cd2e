import { formatTime } from '../../core/time.ts'
import { measureWidth } from './width.ts'

// 1536000 -> "1.5 MB"
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 || value >= 99.5 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}

// Rows as aligned columns; the last one is left as wide as it is.
export function alignColumns(rows: readonly (readonly string[])[], max = Number.POSITIVE_INFINITY): string[] {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.min(max, Math.max(...rows.map(row => measureWidth(row[at] ?? '')))),
  )
  return rows.map(row =>
    row
      .map((cell, at) =>
        at === row.length - 1 ? cell : cell + ' '.repeat(Math.max(0, (widths[at] ?? 0) - measureWidth(cell))),
      )
      .join('  ')
      .trimEnd(),
  )
}

// How long something took: "3.2 s", "48 s", "12:05".
export function formatDuration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  return seconds < 60 ? `${Math.round(seconds)} s` : formatTime(seconds)
}
