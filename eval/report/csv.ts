import type { SampleLine } from '../runner/sample-line.ts'
import type { RunReport } from './run-report.ts'
import { nameOf, taskTitle } from './titles.ts'

// One line for each sample of each run.
export function csv(reports: readonly RunReport[]): string {
  const titles = [...new Set(reports.flatMap(report => report.run.tasks.map(task => taskTitle(report, task))))]
  const ways = [...new Set(reports.flatMap(report => report.lines.flatMap(line => Object.keys(line.groups))))]
  const header = [
    'run',
    'id',
    'video',
    ...ways,
    'question',
    'reference',
    ...titles.flatMap(title => columnsOf(title)),
    'confidence',
    'abstained',
    'cause',
    'seconds',
    'model_calls',
    'error',
    'judge_check',
  ]
  const rows = reports.flatMap(report => report.lines.map(line => row(report, line, titles, ways)))
  return csvText([header, ...rows])
}

// "open (words)" as open_reply, open_score (words), open_rule.
function columnsOf(title: string): string[] {
  const [task, judged = ''] = title.split(/(?= \(words\)$)/)
  return [`${task}_reply`, `${task}_score${judged}`, `${task}_rule`]
}

export type Cell = string | number | boolean | null | undefined

export function csvText(rows: readonly Cell[][]): string {
  return `${rows.map(cells => cells.map(cell).join(',')).join('\n')}\n`
}

function row(report: RunReport, line: SampleLine, titles: readonly string[], ways: readonly string[]): Cell[] {
  const answer = line.asks[0]?.answer
  const tasks = titles.map(title => report.run.tasks.find(task => taskTitle(report, task) === title) ?? '')
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
    report.judgeCheck,
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
