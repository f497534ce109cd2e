import { z } from 'zod'
import { type AttributionTable, attribute } from '../attribution.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import type { PublishedTable } from '../benchmarks/published.ts'
import type { Scores, Scoring } from '../benchmarks/sample.ts'
import type { BenchRun } from '../runner/run-files.ts'
import type { AskRecord } from '../runner/sample-line.ts'
import { isUnjudged, type SampleLine } from '../runner/sample-line.ts'
import { type Calibration, calibration } from './calibration.ts'
import { type GroupScores, groupScores } from './group-scores.ts'
import { tablesForSplit } from './papers/paper-tables.ts'
import { type GroupTable, groupTables, type TaskRow, taskRow } from './task-rows.ts'

// Everything that any form of the report shows of a run.
export interface RunReport {
  folder: string
  run: BenchRun
  finished: boolean
  counts: { samples: number; done: number; failed: number; unjudged: number; abstained: number }
  tasks: TaskRow[]
  scores?: Record<Scoring, Scores> // missing where the run is not over and its data are not there
  groups: GroupTable[]
  calibration: Calibration[]
  cost: Cost
  published: PublishedTable[]
  official: GroupScores[] // the scorer's own groups
  judgedMetrics: string[]
  judgedTasks: string[]
  departures: string[] // settings of the benchmark that are not those of its protocol
  shown: Record<string, string> // under the names that published tables have for it
  edition?: { found: number; published: number } // records of the split, where all were asked
  attribution: AttributionTable
  notes: string[]
  lines: SampleLine[]
}

interface ReportParts {
  folder: string
  run: BenchRun
  benchmark: Benchmark
  lines: SampleLine[]
  scores?: Record<Scoring, Scores>
  records?: number // that the data hold
  finished: boolean
  browsing: ReadonlySet<string> // tools that only list
}

export function runReport(parts: ReportParts): RunReport {
  const { folder, benchmark, lines, scores, finished, browsing } = parts
  const run = ofKnownSplit(parts)
  const tasks = run.tasks.flatMap(task => taskRow(lines, task) ?? [])
  const names = tasks.map(row => row.task)
  const answers = benchmark.tasks.filter(task => task.answer !== 'intervals').map(task => task.name)
  const asked = names.filter(name => answers.includes(name))
  return {
    folder,
    run,
    finished,
    counts: {
      samples: run.samples,
      done: lines.length,
      failed: lines.filter(line => line.error !== undefined).length,
      unjudged: lines.filter(isUnjudged).length,
      abstained: lines.filter(line => line.asks.some(ask => ask.answer?.abstained)).length,
    },
    tasks,
    scores,
    groups: groupTables(lines, names),
    // A model alone gives neither confidence nor evidence.
    calibration: run.by === 'model' ? [] : asked.flatMap(task => calibration(lines, task) ?? []),
    cost: costOf(lines),
    published: tablesForSplit(benchmark.published ?? [], run.split),
    official: scores ? groupScores(benchmark, scores.official) : [],
    judgedMetrics: benchmark.judgedMetrics ?? [],
    judgedTasks: benchmark.tasks.filter(task => task.judge.length > 0).map(task => task.name),
    departures: changedOptions(benchmark, run.options),
    shown: shownFrames(run),
    edition: editionFor(parts, run.split),
    attribution: attribute(lines, run.by === 'model' ? [] : asked, benchmark.groupedBy[0] ?? '', browsing),
    notes: notesOf(run, lines, finished),
    lines,
  }
}

// What the data hold decides, also in a run that was recorded under another name.
function ofKnownSplit({ run, benchmark }: ReportParts): BenchRun {
  const known = run.limit === undefined ? benchmark.editions?.find(one => one.dataHash === run.dataHash) : undefined
  return known ? { ...run, split: known.split } : run
}

function editionFor({ benchmark, records, run }: ReportParts, split: string | undefined): RunReport['edition'] {
  const published = benchmark.editions?.find(one => one.split === split)
  if (!published || records === undefined || run.limit !== undefined) return undefined
  return { found: records, published: published.records }
}

function changedOptions({ settings }: Benchmark, options: BenchRun['options']): string[] {
  const usual: unknown = settings.safeParse({}).data
  const before = z.record(z.string(), z.unknown()).safeParse(usual).data ?? {}
  return Object.entries(options).flatMap(([name, value]) =>
    JSON.stringify(value) === JSON.stringify(before[name]) ? [] : [`${name} ${said(value)}, not ${said(before[name])}`],
  )
}

function said(value: unknown): string {
  return value === undefined ? 'left out' : typeof value === 'string' ? value : JSON.stringify(value)
}

function shownFrames({ by, options: { frames } }: BenchRun): Record<string, string> {
  if (by !== 'model' || typeof frames !== 'number') return {}
  return { frames: String(frames), frames_long: String(frames), frames_clue: String(Math.min(32, frames)) }
}

export function judgedByWords({ judgedBy }: Pick<BenchRun, 'judgedBy'>): boolean {
  return judgedBy === 'words'
}

// The name of a task as reports head its scores: what a judge by words gave never stands under the name alone.
export function taskTitle({ run, judgedTasks }: Pick<RunReport, 'run' | 'judgedTasks'>, task: string): string {
  return judgedByWords(run) && judgedTasks.includes(task) ? `${task} (words)` : task
}

export function metricTitle({ run, judgedMetrics }: Pick<RunReport, 'run' | 'judgedMetrics'>, metric: string): string {
  return judgedByWords(run) && judgedMetrics.includes(metric) ? `${metric} (words)` : metric
}

export function nameOf({ folder }: Pick<RunReport, 'folder'>): string {
  return folder.split(/[\\/]/).filter(Boolean).at(-1) ?? folder
}

// What a reader must know before believing the numbers.
function notesOf(run: BenchRun, lines: readonly SampleLine[], finished: boolean): string[] {
  const { samples, judgedBy, wording, limit, options } = run
  const indexes = new Map<string, Set<string>>()
  for (const line of lines)
    for (const { index } of line.asks)
      if (index !== undefined) indexes.set(line.video, (indexes.get(line.video) ?? new Set()).add(index))
  const mixed = [...indexes.values()].filter(keys => keys.size > 1).length
  const isOwnWording = judgedBy !== undefined && judgedBy !== 'words' && !wording?.released
  const notes: [isDue: boolean, note: string][] = [
    [!finished, `The run is not over: ${lines.length} of ${samples} questions are done.`],
    [run.by === 'model', 'Asked was models.vision alone, with the frames of the protocol; not the agent.'],
    [limit !== undefined, `Only the first ${limit} questions were asked.`],
    [
      judgedBy === 'words',
      'Open answers were judged by their words, not by the judge model of the protocol: stricter, and not comparable.',
    ],
    [
      isOwnWording,
      `Open answers were judged by ${judgedBy} with ${wording ? 'a wording of one’s own' : 'our wording'}, not the released one.`,
    ],
    [
      mixed > 0,
      `${mixed} videos were asked on more than one index (a stage failed in between): not every question started alike.`,
    ],
    [options.trajectory === 'free', 'Earlier turns hold the agent’s own answers (free trajectory).'],
  ]
  return notes.flatMap(([isDue, note]) => (isDue ? [note] : []))
}

// What the questions took; indexing is not in it.
export interface Cost {
  questions: number
  seconds: Spread
  calls: Spread // of models
  tokens: Spread
  frames: Spread
  money: Spread // in the currency of the prices that were set; 0 where none was
}

interface Spread {
  total: number
  mean: number
  median: number
  p90: number
  most: number
}

export function costOf(lines: readonly SampleLine[]): Cost {
  const asks = lines.flatMap(line => line.asks).filter(ask => ask.error === undefined)
  const spread = (of: (ask: AskRecord) => number) => spreadOf(asks.map(of))
  return {
    questions: asks.length,
    seconds: spread(ask => ask.seconds),
    calls: spread(ask => ask.usage.calls),
    tokens: spread(ask => ask.usage.inputTokens + ask.usage.outputTokens),
    frames: spread(ask => ask.usage.frames),
    money: spread(ask => ask.usage.money),
  }
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const total = sorted.reduce((sum, value) => sum + value, 0)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  return { total, mean: sorted.length === 0 ? 0 : total / sorted.length, median: at(0.5), p90: at(0.9), most: at(1) }
}
