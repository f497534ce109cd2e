import type { ReportTable } from '../../../eval/data/report-table.ts'
import type { Scores } from '../../../eval/data/sample.ts'
import { formatTime } from '../../core/time.ts'
import { countPhrase } from '../../core/words/counted.ts'
import { visibleLine } from '../../core/words/visible-text.ts'
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
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
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
  return tables.flatMap(({ title, columns: head, rows, notes, own }, at) => {
    const table = [...(head.some(name => name !== '') ? [head] : []), ...rows].map(row => row.map(visibleLine))
    const first = table.length - rows.length
    const isOwn = (line: number) => own?.rows?.includes(line - first)
    return [
      ...(at === 0 ? [] : ['']),
      bold(visibleLine(title)),
      ...inWidth(table).flatMap((part, place) => [
        ...(place === 0 ? [] : ['']),
        ...alignColumns(part).map((line, i) => (isOwn(i) ? bold(line) : line)),
      ]),
      ...notes.map(note => dim(visibleLine(note))),
    ]
  })
}

const maxWidth = 120

// A table that is too wide, as several under each other: each begins with the first column, and none is left out.
function inWidth(rows: readonly string[][]): string[][][] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map(row => widthOf(row[at] ?? ''))))
  const [first = 0, ...others] = widths
  const parts: number[][] = [[]]
  let width = first
  for (const [i, own] of others.entries()) {
    if (width + 2 + own > maxWidth && parts.at(-1)?.length) {
      parts.push([])
      width = first
    }
    parts.at(-1)?.push(i + 1)
    width += 2 + own
  }
  return parts.map(places => rows.map(row => [0, ...places].map(place => row[place] ?? '')))
}

// A column for each way of counting; a metric that was not run is left out. `titleOf` heads what a judge by words gave.
export function scoreLines(scores: readonly Scores[], titleOf = (metric: string) => metric): string[] {
  const [first] = scores
  const names = Object.keys(first?.metrics ?? {}).filter(name => scores.some(one => one.metrics[name] !== null))
  const rows = names.map(name => [titleOf(name), ...scores.map(({ metrics }) => metrics[name]?.toFixed(2) ?? '-')])
  return [
    `${first?.benchmark}: ${countPhrase(first?.n ?? 0, 'record')}`,
    '',
    ...alignColumns([['', ...scores.map(one => one.scoring)], ...rows]),
  ]
}
