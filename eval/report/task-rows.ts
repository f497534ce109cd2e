import type { Grade, SampleLine } from '../data/sample-line.ts'
import { computeAccuracy } from '../metrics/statistics/accuracy.ts'
import { clusteredStandardError, mean, type Scored } from '../metrics/statistics/clusters.ts'
import { byNumbers } from './numbers.ts'

// One task over some samples, strictly: what was not judged counts as 0 and is counted. Per cent.
export interface TaskRow {
  task: string
  n: number
  unscored: number
  mean: number
  standardError: number | null // questions on one video may hang together
  low: number // of the 95 % interval
  high: number
  interval: 'videos drawn' | 'questions alone' // with few videos they cannot be drawn, and the interval is too narrow
  chance: number | null // by guessing among each question's own options
}

// Whether a task has answers that wait for a judge, and none that has met one: it has no score, not even 0.
export function isNotJudged(lines: readonly SampleLine[], task: string): boolean {
  const grades = lines.flatMap(line => line.grades[task] ?? [])
  const isWaiting = ({ score, value }: Grade) => score === null && typeof value === 'string' && value.trim() !== ''
  return grades.some(isWaiting) && grades.every(({ score, rule }) => score === null || rule === 'no reply')
}

export function taskRow(lines: readonly SampleLine[], task: string): TaskRow | undefined {
  if (isNotJudged(lines, task)) return undefined
  const scoredLines = lines.flatMap(line => {
    const grade = line.grades[task]
    return grade ? [{ line, score: grade.score }] : []
  })
  const scored = scoredLines.map(({ line, score }): Scored => ({ score: score ?? 0, cluster: line.video }))
  // Penalties can take a score below 0, where no share lies; the interval is then that of the share 0 and above.
  const taskAccuracy = computeAccuracy(scored.map(({ score, cluster }) => ({ score: Math.max(0, score), cluster })))
  if (!taskAccuracy) return undefined
  const error = clusteredStandardError(scored)
  return {
    task,
    n: scoredLines.length,
    unscored: scoredLines.filter(({ score }) => score === null).length,
    mean: 100 * mean(scored.map(item => item.score)),
    standardError: error === null ? null : error * 100,
    low: taskAccuracy.low,
    high: taskAccuracy.high,
    interval: taskAccuracy.interval,
    chance: chanceLevel(
      scoredLines.map(({ line }) => line),
      task,
    ),
  }
}

function chanceLevel(lines: readonly SampleLine[], task: string): number | null {
  const options = lines.map(line => line.asks.find(ask => ask.tasks.includes(task))?.question.options?.length ?? 0)
  if (task === 'miou' || options.some(count => count === 0)) return null
  return mean(options.map(count => 100 / count))
}

export interface GroupTable {
  way: string
  rows: { value: string; n: number; tasks: Partial<Record<string, TaskRow>> }[]
}

// Every grouping with more than one value, and by length of the video where lengths are known.
export function groupTables(lines: readonly SampleLine[], tasks: readonly string[]): GroupTable[] {
  const ways = [...new Set(lines.flatMap(line => Object.keys(line.groups)))]
  const tables = ways.map(way => groupTable(lines, tasks, way, line => line.groups[way] ?? ''))
  const lengths = groupTable(lines, tasks, 'length', lengthName)
  return [...tables, lengths].filter(table => table.rows.length > 1)
}

function groupTable(
  lines: readonly SampleLine[],
  tasks: readonly string[],
  way: string,
  valueOfLine: (line: SampleLine) => string,
): GroupTable {
  const groups = new Map<string, SampleLine[]>()
  for (const line of lines) {
    const value = valueOfLine(line)
    if (value !== '') groups.set(value, [...(groups.get(value) ?? []), line])
  }
  const rows = [...groups].map(([value, of]) => ({
    value,
    n: of.length,
    tasks: Object.fromEntries(tasks.map(task => [task, taskRow(of, task)])),
  }))
  if (way !== 'length') return { way, rows: byNumbers(rows, row => row.value) }
  const names = lengths.map(([, name]) => name)
  return { way, rows: rows.sort((a, b) => names.indexOf(a.value) - names.indexOf(b.value)) }
}

const lengths: [minutes: number, name: string][] = [
  [5, 'up to 5 min'],
  [15, '5 to 15 min'],
  [30, '15 to 30 min'],
  [60, '30 to 60 min'],
  [120, '1 to 2 h'],
  [Number.POSITIVE_INFINITY, 'over 2 h'],
]

function lengthName({ duration }: SampleLine): string {
  return (duration !== undefined && lengths.find(([minutes]) => duration <= minutes * 60)?.[1]) || ''
}
