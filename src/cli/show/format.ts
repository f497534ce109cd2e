import type { ReportTable, Scores } from '../../../eval/bench.ts'
import { formatTime } from '../../core/time.ts'
import { oneLine } from '../../core/words/visible-text.ts'
import type { Terminal } from '../terminal.ts'
import { widthOf } from './width.ts'

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
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map(row => widthOf(row[at] ?? ''))))
  return rows.map(row =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : cell + ' '.repeat((widths[at] ?? 0) - widthOf(cell))))
      .join('  ')
      .trimEnd(),
  )
}

// How long something took: "3.2 s", "48 s", "12:05".
export function formatDuration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  return seconds < 60 ? `${Math.round(seconds)} s` : formatTime(seconds)
}

// Tables of a report on the terminal.
export function tableLines(tables: readonly ReportTable[], { bold, dim }: Terminal): string[] {
  return tables.flatMap(({ title, columns: head, rows, notes }, at) => [
    ...(at === 0 ? [] : ['']),
    bold(oneLine(title)),
    ...columns([...(head.some(name => name !== '') ? [head] : []), ...rows].map(row => row.map(oneLine))),
    ...notes.map(note => dim(oneLine(note))),
  ])
}

// A column for each way of counting; a metric that was not run is left out.
export function scoreLines(first: Scores, ...others: Scores[]): string[] {
  const scores = [first, ...others]
  const names = Object.keys(first.metrics).filter(name => scores.some(one => one.metrics[name] !== null))
  const rows = names.map(name => [name, ...scores.map(({ metrics }) => metrics[name]?.toFixed(2) ?? '-')])
  const groups = others.length === 0 ? Object.entries(first.groups) : []
  return [
    `${first.benchmark}: ${first.n} records`,
    '',
    ...columns([['', ...scores.map(one => one.scoring)], ...rows]),
    ...(groups.length > 0 ? [''] : []),
    ...groups.map(([name, values]) => `${oneLine(name)}: ${oneLine(JSON.stringify(values))}`),
  ]
}
