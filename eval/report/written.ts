import { type CsvCell, csvText } from '../../src/core/words/csv-cell.ts'
import type { ReportTable } from '../data/report-table.ts'
import { markdown } from '../data/report-table.ts'
import type { SampleLine } from '../data/sample-line.ts'
import { aimTable } from './aim-table.ts'
import { epochTable } from './epochs.ts'
import { figureSvg } from './figures/draw/svg.ts'
import type { ReportFigure } from './figures/figure.ts'
import { figureTex } from './figures/pgfplots.ts'
import { figureCsv } from './figures/rows.ts'
import { filledPaperTables } from './papers/filled-table.ts'
import { paperLatex } from './papers/latex.ts'
import { policyTable } from './policy-table.ts'
import { runPage } from './run-page.ts'
import type { RunReport } from './run-report.ts'
import { buildReportTables, sideBySide, taskTable } from './tables.ts'
import { runTitle, taskTitle } from './titles.ts'

// The report as one page, one table of samples, or Markdown.
export async function writtenReport(
  form: 'html' | 'csv' | 'md' | 'tex',
  reports: readonly RunReport[],
): Promise<string> {
  if (form === 'html') return runPage(reports)
  if (form === 'csv') return reportsCsv(reports)
  if (form === 'md') return markdown(`longtake bench: ${reports[0]?.run.benchmark}`, buildReportTables(reports))
  const ids = new Set(reports.flatMap(report => report.published.map(table => table.id)))
  const named = reports.map(report => ({ report, ...(reports.length > 1 && { name: runTitle(report) }) }))
  const aim = aimTable(named.map(({ name, report }) => ({ name, aim: report.aim })))
  const [only, ...others] = reports
  const scores = only && others.length === 0 ? taskTable(only) : sideBySide(reports)
  return writtenTables('tex', [
    ...(await filledPaperTables([...ids], reports)),
    scores,
    ...(only?.epochs && others.length === 0 ? [epochTable(only.epochs)] : []),
    ...[aim, policyTable(named.map(({ name, report }) => ({ name, lines: report.lines })))].filter(
      ({ rows }) => rows.length > 0,
    ),
  ])
}

export function writtenTables(form: 'csv' | 'md' | 'tex', tables: readonly ReportTable[]): string {
  if (form === 'tex') return paperLatex(tables)
  if (form === 'md') return markdown('longtake bench: published tables', tables)
  const cells = (row: readonly string[]) => row.map(cell => (cell === '-' ? '' : cell))
  return csvText(tables.flatMap(({ columns, rows }, at) => [...(at === 0 ? [] : [[]]), columns, ...rows.map(cells)]))
}

export function writtenFigure(form: 'csv' | 'svg' | 'tex', figure: ReportFigure): string {
  if (form === 'csv') return figureCsv(figure)
  if (form === 'svg') return figureSvg(figure)
  return figureTex(figure)
}

// One line for each sample of each run.
export function reportsCsv(reports: readonly RunReport[]): string {
  const titles = [...new Set(reports.flatMap(report => report.run.tasks.map(task => taskTitle(report, task))))]
  const ways = [...new Set(reports.flatMap(report => report.lines.flatMap(line => Object.keys(line.groups))))]
  const header = [
    'run',
    'id',
    'video',
    ...ways,
    'question',
    'reference',
    ...titles.flatMap(title => nameColumns(title)),
    'confidence',
    'abstained',
    'not_answered',
    'cause',
    'seconds',
    'model_calls',
    'tokens',
    'frames',
    'error',
    'judge_check',
  ]
  const rows = reports.flatMap(report => report.lines.map(line => row(report, line, titles, ways)))
  return csvText([header, ...rows])
}

// "open (words)" as open_reply, open_score (words), open_rule.
function nameColumns(title: string): string[] {
  const [task, judged = ''] = title.split(/(?= \(words\)$)/)
  return [`${task}_reply`, `${task}_score${judged}`, `${task}_rule`]
}

function row(report: RunReport, line: SampleLine, titles: readonly string[], ways: readonly string[]): CsvCell[] {
  const answer = line.asks[0]?.answer
  const tasks = titles.map(title => report.run.tasks.find(task => taskTitle(report, task) === title) ?? '')
  const causes = report.attribution.samples.filter(({ id }) => id === line.id)
  return [
    runTitle(report),
    line.id,
    line.video,
    ...ways.map(way => line.groups[way]),
    line.question.text,
    line.reference,
    ...tasks.flatMap(task => [line.replies[task], line.grades[task]?.score, line.grades[task]?.rule]),
    answer?.confidence,
    answer?.abstained,
    answer?.abstained ? (answer.cause ?? 'absent') : undefined,
    causes.map(({ task, cause }) => `${task}: ${cause}`).join('; '),
    Number(line.asks.reduce((sum, ask) => sum + ask.seconds, 0).toFixed(3)),
    ...(['calls', 'tokens', 'frames'] as const).map(name => sumUsage(line, name)),
    line.error,
    report.judgeCheck,
  ]
}

function sumUsage({ asks }: SampleLine, name: 'calls' | 'tokens' | 'frames'): number {
  return asks.reduce(
    (sum, { usage }) => sum + (name === 'tokens' ? usage.inputTokens + usage.outputTokens : usage[name]),
    0,
  )
}
