import { alignColumns } from '../../src/cli/show/format.ts'
import { measureWidth } from '../../src/cli/show/width.ts'
import type { Terminal } from '../../src/cli/terminal.ts'
import { countPhrase } from '../../src/core/words/counted.ts'
import { visibleLine } from '../../src/core/words/visible-text.ts'
import type { ReportTable } from '../data/report-table.ts'
import type { Scores } from '../data/sample.ts'
import { notJudged } from '../report/titles.ts'

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
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map(row => measureWidth(row[at] ?? ''))))
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
export function formatScores(
  scores: readonly Scores[],
  titleOf = (metric: string) => metric,
  judgedMetrics: readonly string[] = [],
): string[] {
  const [first] = scores
  const cell = ({ metrics, unjudged }: Scores, name: string) =>
    metrics[name]?.toFixed(2) ?? (unjudged.length > 0 && judgedMetrics.includes(name) ? notJudged : '-')
  const names = Object.keys(first?.metrics ?? {}).filter(name => scores.some(one => cell(one, name) !== '-'))
  const rows = names.map(name => [titleOf(name), ...scores.map(one => cell(one, name))])
  return [
    `${first?.benchmark}: ${countPhrase(first?.n ?? 0, 'record')}`,
    '',
    ...alignColumns([['', ...scores.map(one => one.scoring)], ...rows]),
  ]
}
