import { Cause } from '../../src/core/agent.ts'
import type { Usage } from '../../src/core/chat.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import { listJudgedTasks } from '../benchmarks/judged-tasks.ts'
import type { PublishedTable } from '../benchmarks/published.ts'
import { madeSplit } from '../data/benchmark-json.ts'
import type { Scores, Scoring } from '../data/sample.ts'
import type { AskRecord } from '../data/sample-line.ts'
import { isUnjudged, type SampleLine } from '../data/sample-line.ts'
import type { JudgeCheck } from '../judges/calibration/calibrate.ts'
import { checkedText } from '../judges/calibration/judge-check.ts'
import { type Aim, measureAims } from '../metrics/aim.ts'
import { type AttributionTable, attribute } from '../metrics/attribution.ts'
import type { KeptAgreement } from '../runner/files/kept-agreement.ts'
import type { BenchRun } from '../runner/files/run-files.ts'
import { type Availability, availability } from './availability.ts'
import { type CalibrationBins, calibration } from './calibration.ts'
import type { EpochScores } from './epochs.ts'
import { type GroupScores, groupScores } from './group-scores.ts'
import { ownRows } from './papers/own-rows.ts'
import { tablesForSplit } from './papers/paper-tables.ts'
import {
  changedOptions,
  editionFor,
  findRunMode,
  frameSettings,
  type Mode,
  ofKnownSplit,
  type RecordCount,
} from './protocol-of-run.ts'
import { runNotes } from './run-notes.ts'
import { describeSelfJudging } from './self-judging.ts'
import { type GroupTable, groupTables, isNotJudged, type TaskRow, taskRow } from './task-rows.ts'

// Everything that any form of the report shows of a run.
export interface RunReport extends RunScores, RunProtocol, RunJudges {
  folder: string
  run: BenchRun
  finished: boolean
  counts: {
    samples: number
    done: number
    failed: number
    unjudged: number
    abstained: number
    causes: Partial<Record<Cause, number>>
  }
  available?: Availability // where videos were missing
  cost: Cost
  indexCosts: readonly Usage[] // of each video, as far as they are known
  notes: string[]
  lines: SampleLine[]
}

// What the replies of a run scored.
interface RunScores {
  tasks: TaskRow[]
  notJudged: string[] // tasks whose answers no judge has judged
  scores?: Record<Scoring, Scores> // missing where the run is not over and its data are not there
  groups: GroupTable[]
  calibration: CalibrationBins[]
  official: GroupScores[] // the scorer's own groups
  judgedMetrics: string[]
  judgedTasks: string[]
  attribution: AttributionTable
  epochs?: EpochScores[] // where every question was asked more than once
  aim: Aim[] // of tasks that have questions with a known place
  people?: Record<string, PeopleScore> // by task: first answers of those who reviewed the set
}

// How far a run is from the protocol of its benchmark.
interface RunProtocol {
  published: PublishedTable[]
  departures: string[] // settings of the benchmark that are not those of its protocol
  shown: Record<string, string> // under the names that published tables have for it
  mode?: Mode // of the paper, that these options are
  edition?: RecordCount // records of the split, where all were asked
}

// What is known of the judges of a run.
interface RunJudges {
  judges: Record<string, Scores['metrics']> // official, under each judge that graded every answer
  agreement?: KeptAgreement // of its judges and people, where "bench agree" left it
  selfJudging?: string // that the judge is the model that answered, or of its maker
  judgeCheck?: string // whether and how the judge was checked; undefined if nothing was judged
}

// Per cent, before the key was seen.
interface PeopleScore {
  n: number
  mean: number
  low?: number
  high?: number
}

interface ReportParts {
  folder: string
  run: BenchRun
  benchmark: Benchmark
  lines: SampleLine[]
  scores?: Record<Scoring, Scores>
  records?: number // that the data hold
  judges?: RunReport['judges'] // beside its own
  finished: boolean
  check?: JudgeCheck
  agreement?: KeptAgreement
  indexCosts?: readonly Usage[]
  epochs?: EpochScores[]
  families?: Record<string, string[]> // makers of models, as the run was set
  browsing: ReadonlySet<string> // tools that only list
}

export function runReport(parts: ReportParts): RunReport {
  const { folder, benchmark, lines, scores, finished, browsing } = parts
  const run = ofKnownSplit(parts.run, benchmark)
  const tasks = run.tasks.flatMap(task => taskRow(lines, task) ?? [])
  const names = tasks.map(row => row.task)
  const answers = benchmark.tasks.filter(task => task.answer !== 'intervals').map(task => task.name)
  const askedTasks = names.filter(name => answers.includes(name))
  const mode = run.by === 'alone' ? findRunMode(benchmark, run.options) : undefined
  const selfJudging = describeSelfJudging(run, parts.families)
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
      causes: countCauses(lines),
    },
    tasks,
    notJudged: run.tasks.filter(task => isNotJudged(lines, task)),
    scores,
    groups: groupTables(lines, names),
    available: availability(lines, names),
    // Nobody else gives a confidence.
    calibration: run.by === 'longtake' ? askedTasks.flatMap(task => calibration(lines, task) ?? []) : [],
    cost: sumCost(lines),
    indexCosts: parts.indexCosts ?? [],
    published: publishedFor(run, benchmark, parts.agreement),
    official: scores ? groupScores(benchmark, scores.official) : [],
    judgedMetrics: benchmark.paper?.judgedMetrics ?? [],
    judgedTasks: listJudgedTasks(benchmark),
    departures: changedOptions(benchmark, run.options),
    shown: frameSettings(run, benchmark),
    mode,
    edition: editionFor(run, benchmark, parts.records),
    attribution: attribute(
      lines,
      run.by === 'longtake' ? askedTasks : [],
      benchmark.about.groupedBy[0] ?? '',
      browsing,
    ),
    aim: run.by === 'alone' ? [] : measureAims(lines, names),
    people: describePeople(run, benchmark),
    notes: [
      ...(selfJudging === undefined ? [] : [`${selfJudging} Calibration: ${checkedText(parts.check)}.`]),
      ...runNotes({ run, benchmark, lines, finished, mode }),
      ...(scores?.strict.notes ?? []),
    ],
    lines,
    ...(parts.epochs && { epochs: parts.epochs }),
    judges: {
      ...parts.judges,
      ...(run.judgedBy !== undefined && scores && { [run.judgedBy]: scores.official.metrics }),
    },
    ...(parts.agreement && { agreement: parts.agreement }),
    ...(selfJudging !== undefined && { selfJudging }),
    ...(run.judgedBy !== undefined && { judgeCheck: checkedText(parts.check) }),
  }
}

// Of the questions without an answer, why; each question once a cause.
function countCauses(lines: readonly SampleLine[]): Partial<Record<Cause, number>> {
  const causes = lines.flatMap(line => [...new Set(line.asks.flatMap(ask => ask.answer?.cause ?? []))])
  return Object.fromEntries(
    Cause.options.flatMap(cause => {
      const count = causes.filter(one => one === cause).length
      return count > 0 ? [[cause, count]] : []
    }),
  )
}

// Tables of its split, and those that have rows made from what people graded.
function publishedFor({ split }: BenchRun, { paper }: Benchmark, agreement?: KeptAgreement): PublishedTable[] {
  const published = paper?.published ?? []
  const sources = { agreements: agreement && split !== madeSplit ? [agreement] : [], sets: [] }
  return [...tablesForSplit(published, split), ...published.filter(table => ownRows(table, sources).length > 0)]
}

// People choose after the whole video and mark where its answer is: the first task of either kind.
function describePeople({ made }: BenchRun, { tasks }: Benchmark): RunReport['people'] {
  if (!made?.people) return undefined
  const { answered, accuracy, low, high, marked, mIoU } = made.people
  const first = (answer: string) => tasks.find(task => task.answer === answer)?.name
  const [choice, intervals] = [first('choice'), first('intervals')]
  return {
    ...(choice !== undefined && accuracy !== undefined && { [choice]: { n: answered, mean: accuracy, low, high } }),
    ...(intervals !== undefined && mIoU !== undefined && { [intervals]: { n: marked, mean: mIoU } }),
  }
}

// What the questions took; indexing is not in it.
export interface Cost {
  questions: number
  seconds: Spread
  calls: Spread // of models
  tokens: Spread
  frames: Spread
  money: Spread // in the currency of the prices that were set; 0 if none was
}

interface Spread {
  total: number
  mean: number
  median: number
  p90: number
  most: number
}

export function sumCost(lines: readonly SampleLine[]): Cost {
  const asks = lines.flatMap(line => line.asks).filter(ask => ask.error === undefined)
  const spread = (of: (ask: AskRecord) => number) => computeSpread(asks.map(of))
  return {
    questions: asks.length,
    seconds: spread(ask => ask.seconds),
    calls: spread(ask => ask.usage.calls),
    tokens: spread(ask => ask.usage.inputTokens + ask.usage.outputTokens),
    frames: spread(ask => ask.usage.frames),
    money: spread(ask => ask.usage.money),
  }
}

function computeSpread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const total = sorted.reduce((sum, value) => sum + value, 0)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  return { total, mean: sorted.length === 0 ? 0 : total / sorted.length, median: at(0.5), p90: at(0.9), most: at(1) }
}
