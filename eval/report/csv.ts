import type { SampleLine } from '../runner/sample-line.ts'
import type { RunReport } from './run-report.ts'
import { nameOf } from './tables.ts'

// One line for each sample of each run.
export function csv(reports: readonly RunReport[]): string {
  const tasks = [...new Set(reports.flatMap(report => report.run.tasks))]
  const ways = [...new Set(reports.flatMap(report => report.lines.flatMap(line => Object.keys(line.groups))))]
  const header = [
    'run',
    'id',
    'video',
    ...ways,
    'question',
    'reference',
    ...tasks.flatMap(task => [`${task}_reply`, `${task}_score`, `${task}_rule`]),
    'confidence',
    'abstained',
    'cause',
    'seconds',
    'model_calls',
    'error',
  ]
  const rows = reports.flatMap(report => report.lines.map(line => row(report, line, tasks, ways)))
  return csvText([header, ...rows])
}

export type Cell = string | number | boolean | null | undefined

export function csvText(rows: readonly Cell[][]): string {
  return `${rows.map(cells => cells.map(cell).join(',')).join('\n')}\n`
}

function row(report: RunReport, line: SampleLine, tasks: readonly string[], ways: readonly string[]): Cell[] {
  const answer = line.asks[0]?.answer
  const causes = report.attribution.samples.filter(({ id }) => id === line.id)
  return [
    nameOf(report),
    line.id,
    line.video,
    ...ways.map(way => line.groups[way]),
    line.question.text,
    line.reference,
    ...tasks.flatMap(task => [line.replies[task], line.grades[task]?.score, line.grades[task]?.rule]),
    answer?.confidence,
    answer?.abstained,
    causes.map(({ task, cause }) => `${task}: ${cause}`).join('; '),
    Number(line.asks.reduce((sum, ask) => sum + ask.seconds, 0).toFixed(3)),
    line.asks.reduce((sum, ask) => sum + ask.usage.calls, 0),
    line.error,
  ]
}

// Spreadsheets run a cell that begins like a formula, also after blanks; the apostrophe makes it text.
function cell(value: Cell): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') return String(value)
  const text = value.replace(/[^\P{Cc}\n\t]/gu, '')
  const safe = /^\s*[=+\-@\t]/.test(text) && !/^-?\d+(?:\.\d+)?$/.test(text) ? `'${text}` : text
  return /[",\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
