import { listBenchmarks, type PublishedRow, type PublishedTable } from '../../benchmarks/published.ts'
import type { ReportTable } from '../../data/report-table.ts'
import { notJudged } from '../titles.ts'
import { departures } from './departures.ts'
import { isGradedByWords, isUnjudgedColumn, ownNumber } from './own-numbers.ts'
import type { OwnResult } from './own-result.ts'
import { type OwnRow, type OwnSources, ownRows } from './own-rows.ts'
import { countDecimals } from './printed-decimals.ts'

// A model of the source, or a run of ours.
interface Line {
  name: string
  isOwn: boolean
  settings: Record<string, string>
  cell(key: string): string
  words(key: string): string | undefined // what a judge by words gave in place of the cell
}

// A published table with our results in it: the same columns, order and decimals; signs say how a run differs. A table that is not of
// scores takes only rows of its own source.
export function paperTable(
  table: PublishedTable,
  results: readonly OwnResult[],
  sources: OwnSources = { agreements: [], sets: [] },
): ReportTable {
  const benchmarks = listBenchmarks(table)
  const scored = table.own === 'scores' ? results.filter(({ benchmark }) => benchmarks.has(benchmark)) : []
  const resultRows = [
    ...scored.map(one => ({ line: ownLine(one, table), ...departures(one, table) })),
    ...ownRows(table, sources).map(row => ({ line: rowLine(row), notes: row.notes, isComparable: true })),
  ]
  const marked = resultRows.map(({ line, notes }, at) =>
    notes.length > 0 ? { ...line, name: `${line.name} ${sign(at)}` } : line,
  )
  const signed = resultRows.flatMap(({ notes, isComparable }, at) =>
    notes.length > 0 ? [`${sign(at)}  ${notes.join('; ')}.${isComparable ? '' : ' Not comparable.'}`] : [],
  )
  const lines = [...marked, ...table.rows.map(publishedLine)]
  return {
    title: resultRows.length > 0 ? `Beside ${table.source} (${table.id})` : `${table.source} (${table.id})`,
    ...(table.across ? across(table, lines) : down(table, lines)),
    notes: [...signed, ...(table.note ? [table.note] : []), ...misprints(table)],
  }
}

function sign(at: number): string {
  return `*${String.fromCharCode(97 + (at % 26))}${at >= 26 ? Math.floor(at / 26) : ''}`
}

function publishedLine({ model, settings, printed, differences }: PublishedRow): Line {
  const behind = (key: string) => (differences[key] === undefined ? '' : ` (${differences[key]})`)
  const cell = (key: string) => (printed[key] === undefined ? '-' : printed[key] + behind(key))
  return { name: model, isOwn: false, settings, cell, words: () => undefined }
}

function ownLine(own: OwnResult, table: PublishedTable): Line {
  const number = (key: string) => ownNumber(own, table, key)
  return {
    name: `${own.name}${own.coverage ? ` (${own.coverage})` : ''}`,
    isOwn: true,
    settings: Object.fromEntries(table.settings.map(({ key }) => [key, own.shown[key] ?? '-'])),
    cell: key =>
      isGradedByWords(own, key) ? '-' : (number(key) ?? (isUnjudgedColumn(own, table, key) ? notJudged : '-')),
    words: key => (isGradedByWords(own, key) ? number(key) : undefined),
  }
}

function rowLine({ name, settings, cells, words }: OwnRow): Line {
  return { name, isOwn: true, settings, cell: key => cells[key] ?? '-', words: key => words[key] }
}

type Body = Pick<ReportTable, 'columns' | 'rows' | 'own'>

// A row for each model. What a judge by words gave has columns of its own, whose heads say so.
function down({ settings, columns }: PublishedTable, lines: readonly Line[]): Body {
  const worded = columns.filter(({ key }) => lines.some(line => line.words(key) !== undefined))
  return {
    columns: [
      'model',
      ...settings.map(readTitle),
      ...columns.map(readTitle),
      ...worded.map(one => `${one.title} (words)`),
    ],
    rows: lines.map(line => [
      line.name,
      ...settings.map(({ key }) => line.settings[key] ?? '-'),
      ...columns.map(({ key }) => line.cell(key)),
      ...worded.map(({ key }) => line.words(key) ?? '-'),
    ]),
    own: { rows: lines.flatMap((line, at) => (line.isOwn ? [at] : [])) },
  }
}

// A column for each model; a run that was judged by words says so at its head.
function across({ settings, columns }: PublishedTable, lines: readonly Line[]): Body {
  const isWorded = (line: Line) => columns.some(({ key }) => line.words(key) !== undefined)
  return {
    columns: ['', ...lines.map(line => `${line.name}${isWorded(line) ? ' (words)' : ''}`)],
    rows: [
      ...settings.map(({ key, title }) => [title, ...lines.map(line => line.settings[key] ?? '-')]),
      ...columns.map(({ key, title }) => [title, ...lines.map(line => line.words(key) ?? line.cell(key))]),
    ],
    own: { columns: lines.flatMap((line, at) => (line.isOwn ? [at + 1] : [])) },
  }
}

function readTitle({ title }: { title: string }): string {
  return title
}

// Means and differences that a source prints and that its own cells do not give, with what they give. Printed numbers are never
// changed.
export function misprints(table: PublishedTable): string[] {
  return [...wrongMeans(table), ...wrongDifferences(table)]
}

function wrongMeans({ columns, means, rows }: PublishedTable): string[] {
  return rows.flatMap(row =>
    Object.keys(means).flatMap(key => {
      const printed = row.printed[key]
      const recomputedMean = printed === undefined ? undefined : recomputed(key, row, means)
      if (printed === undefined || recomputedMean === undefined) return []
      const digits = countDecimals(printed)
      // Each cell, and the mean itself, is rounded.
      if (Math.abs(recomputedMean - Number(printed)) <= 1.05 * 10 ** -digits) return []
      return [
        `${row.model}, ${findTitle(columns, key)}: printed ${printed}, its own cells give ${recomputedMean.toFixed(digits)}.`,
      ]
    }),
  )
}

// From the cells themselves: a mean of means does not inherit the misprint of one of them.
function recomputed(key: string, row: PublishedRow, means: PublishedTable['means']): number | undefined {
  const mean = means[key]
  if (!mean) return row.printed[key] === undefined ? undefined : Number(row.printed[key])
  const values = mean.of.map(part => recomputed(part, row, means))
  const weights = mean.weights ?? values.map(() => 1)
  let sum = 0
  for (const [i, value] of values.entries()) {
    if (value === undefined) return undefined
    sum += value * (weights[i] ?? 0)
  }
  return sum / weights.reduce((total, weight) => total + weight, 0)
}

// A difference is to the last row above of the same model that prints none; in a row that has such cells itself, to the cell before.
function wrongDifferences({ columns, settings, rows }: PublishedTable): string[] {
  const keys = columns.map(({ key }) => key)
  return rows.flatMap((row, at) => {
    const above = rows.slice(0, at).findLast(other => other.model === row.model && isBase(other))
    return Object.entries(row.differences).flatMap(([key, printed]) => {
      const from = above ? above.printed[key] : row.printed[keys[keys.indexOf(key) - 1] ?? '']
      const change = Number(row.printed[key]) - Number(from)
      if (Math.abs(change - Number(printed)) < 0.5 * 10 ** -countDecimals(printed)) return []
      const name = [row.model, ...settings.map(setting => row.settings[setting.key])].join(' ')
      const signedText = `${change > 0 ? '+' : ''}${change.toFixed(countDecimals(printed))}`
      return [`${name}, ${findTitle(columns, key)}: printed difference ${printed}, its own cells give ${signedText}.`]
    })
  })
}

function isBase({ differences }: PublishedRow): boolean {
  return Object.keys(differences).length === 0
}

function findTitle(columns: PublishedTable['columns'], key: string): string {
  return columns.find(column => column.key === key)?.title ?? key
}
