import { type AttributionTable, attribute } from '../attribution.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import type { PublishedTable } from '../benchmarks/published.ts'
import type { Scores, Scoring } from '../benchmarks/sample.ts'
import type { BenchRun } from '../runner/run-files.ts'
import type { AskRecord } from '../runner/sample-line.ts'
import { isUnjudged, type SampleLine } from '../runner/sample-line.ts'
import { type Calibration, calibration } from './calibration.ts'
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
  finished: boolean
  browsing: ReadonlySet<string> // tools that only list
}

export function runReport({ folder, run, benchmark, lines, scores, finished, browsing }: ReportParts): RunReport {
  const tasks = run.tasks.flatMap(task => taskRow(lines, task) ?? [])
  const names = tasks.map(row => row.task)
  const answers = benchmark.tasks.filter(task => task.answer !== 'intervals').map(task => task.name)
  const asked = names.filter(name => answers.includes(name))
  const tables = benchmark.published ?? []
  const published = tables.filter(table => run.split === undefined || table.split === run.split)
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
    published: published.length > 0 ? published : tables,
    attribution: attribute(lines, run.by === 'model' ? [] : asked, benchmark.groupedBy[0] ?? '', browsing),
    notes: notesOf(run, lines, finished),
    lines,
  }
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
