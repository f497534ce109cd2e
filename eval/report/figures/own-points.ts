import { columnParts, type PublishedTable } from '../../benchmarks/published.ts'
import { wilson } from '../../metrics/statistics/accuracy.ts'
import { isGradedByWords, officialValue } from '../papers/own-numbers.ts'
import { type OwnResult, ownResult } from '../papers/own-result.ts'
import type { RunReport } from '../run-report.ts'
import { type TaskRow, taskRow } from '../task-rows.ts'
import type { PlotPoint } from './figure.ts'

// A run as figures take it in.
export interface FigureRun {
  report: RunReport
  own: OwnResult
}

export function figureRun(report: RunReport): FigureRun {
  return { report, own: ownResult(report) }
}

// The official number of a run for a metric, or for "group.metric", as it stands in scores.json.
export function officialPoint({ report, own }: FigureRun, key: string, x: PlotPoint['x'] = key): PlotPoint[] {
  const y = officialValue(own, key)
  if (y === undefined) return []
  return [{ x, y, ...findInterval(report, own, key, y) }]
}

// What is in no file of scores: a task over some of the lines, strictly.
export function strictPoint(
  { report }: FigureRun,
  task: string,
  x: string,
  isOf: (line: RunReport['lines'][number]) => boolean,
): PlotPoint[] {
  const row = taskRow(report.lines.filter(isOf), task)
  return row ? [{ x, y: row.mean, low: row.low, high: row.high, n: row.n }] : []
}

// A judge by words is named wherever its numbers stand.
export function seriesName({ own }: FigureRun, key: string, name = own.name): string {
  return isGradedByWords(own, key) ? `${name} (words)` : name
}

const taskOf: Record<string, string> = {
  long_acc: 'long_acc',
  clue_acc: 'clue_acc',
  miou: 'miou',
  oe_acc: 'open',
  open: 'open',
  mcq: 'mcq',
  accuracy: 'answer',
  score: 'answer',
  average: 'answer',
  overall: 'answer',
}
// Per cent of questions that are right.
const shares = new Set(['long_acc', 'clue_acc', 'oe_acc', 'open', 'mcq', 'accuracy', 'average'])

// The interval of the strict score where it is the same number, so that a figure and the tables say the same; else Wilson's, for
// shares of a known n. Means over skills and sums of weighted criteria have none.
function findInterval(report: RunReport, own: OwnResult, key: string, y: number): Partial<PlotPoint> {
  const { group, metric } = columnParts(key)
  const row = group === undefined ? ownRow(report.tasks, metric) : groupRow(report, group, metric)
  for (const scale of [1, 0.1])
    if (row && Math.abs(row.mean * scale - y) < 0.005) return { low: row.low * scale, high: row.high * scale, n: row.n }
  const n = own.groups.flatMap(({ values }) => values[group ?? '']?.n ?? [])[0]
  return n === undefined || !shares.has(metric) ? {} : shareInterval(y, n)
}

function ownRow(rows: readonly TaskRow[], metric: string): TaskRow | undefined {
  return rows.find(({ task }) => task === taskOf[metric])
}

function groupRow({ groups }: RunReport, group: string, metric: string): TaskRow | undefined {
  return groups
    .flatMap(({ rows }) => rows.filter(({ value }) => value === group))
    .flatMap(({ tasks }) => tasks[taskOf[metric] ?? ''] ?? [])[0]
}

function shareInterval(y: number, n: number): Partial<PlotPoint> {
  const { low, high } = wilson(y / 100, n)
  return { low: 100 * low, high: 100 * high, n }
}

// A printed number; with its interval where the source says of how many questions it is.
export function publishedPoint(
  { n }: PublishedTable,
  row: PublishedTable['rows'][number],
  key: string,
  x: PlotPoint['x'],
): PlotPoint[] {
  const printed = row.printed[key]
  if (printed === undefined) return []
  const y = Number(printed)
  const count = n[key]
  return [{ x, y, ...(count !== undefined && shareInterval(y, count)) }]
}
