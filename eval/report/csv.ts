import { type CsvCell, csvText } from '../../src/core/words/csv-cell.ts'
import type { SampleLine } from '../data/sample-line.ts'
import type { RunReport } from './run-report.ts'
import { runTitle, taskTitle } from './titles.ts'

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
    line.asks.reduce((sum, ask) => sum + ask.usage.calls, 0),
    line.error,
    report.judgeCheck,
  ]
}
