import type { Benchmark, Scores, Scoring } from '../src/core/benchmark.ts'
import { UsageError } from '../src/core/errors.ts'
import type { BenchRequest, BenchWorld } from './bench/bench-request.ts'
import type { Bench } from './bench/open-bench.ts'
import { benchmarkNames, loadBenchmark } from './benchmarks/index.ts'
import type { MadeNeedle, NeedleWork } from './benchmarks/needle/make-benchmark.ts'
import { linesOf } from './data/lines.ts'
import type { ExportRun } from './interchange/export-run.ts'
import type { JudgeReplies } from './judges/judge-replies.ts'
import type { SecondJudge, SecondOpinion } from './judges/second-judge.ts'
import type { Comparison } from './report/compare-runs.ts'
import type { RunReport } from './report/run-report.ts'
import { reportTables, sideBySide } from './report/tables.ts'

export type { BenchRequest } from './bench/bench-request.ts'
export type { BenchResult } from './bench/conclude.ts'
export type { Bench, BenchProgress } from './bench/open-bench.ts'
export type { SecondOpinion } from './judges/second-judge.ts'
// What the command line may ask of the benchmarks. Nothing of a benchmark or of the agent is loaded before it is needed.
export type { Comparison } from './report/compare-runs.ts'
export type { RunReport } from './report/run-report.ts'
export { nameOf, type ReportTable, reportTables, sideBySide } from './report/tables.ts'
export type { Forecast } from './runner/forecast.ts'
export type { SampleLine } from './runner/line.ts'
export type { Preflight } from './runner/preflight.ts'
export type { RunProgress } from './runner/run-benchmark.ts'
export { findRun, readBenchRun } from './runner/run-files.ts'
export { benchmarkNames, linesOf, loadBenchmark }

export async function allBenchmarks(): Promise<Benchmark[]> {
  return Promise.all(benchmarkNames.map(loadBenchmark))
}

export async function openBench(request: BenchRequest, world: BenchWorld): Promise<Bench> {
  return (await import('./bench/open-bench.ts')).openBench(request, world)
}

export async function makeNeedleFolder(work: NeedleWork): Promise<MadeNeedle> {
  return (await import('./benchmarks/needle/make-benchmark.ts')).makeNeedleFolder(work)
}

// The split of needle that everybody has, made when it is not there yet.
export async function bundledNeedleFolder(
  home: string,
  work: Pick<NeedleWork, 'onProgress' | 'signal'>,
): Promise<string> {
  return (await import('./benchmarks/needle/make-benchmark.ts')).bundledNeedleFolder(home, work)
}

export async function loadReport(folder: string): Promise<RunReport> {
  return (await import('./report/reports.ts')).loadReport(folder)
}

// The report as one page, one table of samples, or Markdown.
export async function writtenReport(form: 'html' | 'csv' | 'md', reports: readonly RunReport[]): Promise<string> {
  if (form === 'html') return (await import('./report/html/html.ts')).html(reports)
  if (form === 'csv') return (await import('./report/csv.ts')).csv(reports)
  const { markdown } = await import('./report/markdown.ts')
  const several = reports.length > 1 ? [sideBySide(reports)] : []
  return markdown(`longtake bench: ${reports[0].run.benchmark}`, [...several, ...reports.flatMap(reportTables)])
}

export async function loadComparison(a: string, b: string): Promise<Comparison> {
  return (await import('./report/reports.ts')).loadComparison(a, b)
}

export async function secondOpinion(work: SecondJudge, world: BenchWorld): Promise<SecondOpinion> {
  return (await import('./judges/second-judge.ts')).secondOpinion(work, world)
}

export async function judgeReplies(
  work: JudgeReplies,
  world: BenchWorld,
): Promise<{ lines: string[]; failed: number }> {
  return (await import('./judges/judge-replies.ts')).judgeReplies(work, world)
}

export interface ScoreRequest {
  benchmark: string
  data?: string
  replies: () => AsyncIterable<string> // JSON lines
  scoring: Scoring
}

// The lines of a replies file, or of the files that the released tools left.
export async function* repliesIn(benchmark: string, path: string): AsyncIterable<string> {
  yield* (await import('./interchange/read-released.ts')).repliesAt(benchmark, path)
}

// A run in the form of its benchmark's released tools; the files below `out`.
export async function exportRun(work: ExportRun): Promise<string[]> {
  return (await import('./interchange/export-run.ts')).exportRun(work)
}

// Scores replies. Only longshot does without the data: its judged lines hold what is needed.
export async function scoreReplies({ benchmark, data, replies, scoring }: ScoreRequest): Promise<Scores> {
  const { score } = await loadBenchmark(benchmark)
  if (data === undefined && benchmark !== 'longshot')
    throw new UsageError(`--data is missing: ${benchmark} is scored against its annotations.`, {
      hint: `Name the folder or the file; "longtake bench show ${benchmark}" says what to download.`,
    })
  return score({ data, replies: replies(), scoring })
}
