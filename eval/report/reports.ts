import { basename, join } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import { browsingTools } from '../../src/runtime/tools/toolbox.ts'
import { loadBenchmark } from '../benchmarks/index.ts'
import { listJudgedTasks } from '../benchmarks/judged-tasks.ts'
import { readJsonFile } from '../data/read-json-file.ts'
import type { Scores, Scoring } from '../data/sample.ts'
import { checkOfRun } from '../judges/calibration/judge-check.ts'
import { type Collected, collectSamples } from '../runner/collect-samples.ts'
import { agreementOfRun } from '../runner/files/kept-agreement.ts'
import { type BenchRun, readBenchRun, readLines } from '../runner/files/run-files.ts'
import { scoreRun } from '../runner/score-run.ts'
import { type ComparedRun, compareReports, type RunDifferences } from './compare-runs.ts'
import { scoresByJudge } from './papers/scores-by-judge.ts'
import { type RunReport, runReport } from './run-report.ts'

// The report of a run, also of one that is not finished. Its grades are summed anew where its data are unchanged; else
// its scores are those that it ended with.
export async function loadReport(folder: string): Promise<RunReport> {
  const run = await readBenchRun(folder)
  const lines = await readLines(folder)
  if (lines.length === 0)
    throw new UsageError(`The run in ${folder} has no answers yet.`, { hint: 'Go on with it by --resume.' })
  const finished = (await readJsonFile(join(folder, 'summary.json'))) !== undefined
  const [benchmark, collected, browsing] = await Promise.all([
    loadBenchmark(run.benchmark),
    openRunData(run),
    browsingTools(),
  ])
  const scores = collected ? await scoreRun(benchmark, collected, lines) : await scoresThen(folder)
  const records = collected?.records.length
  const judges = collected && (await scoresByJudge(folder, benchmark, collected, lines))
  const [check, agreement] = await Promise.all([checkOfRun(folder), agreementOfRun(folder)])
  return runReport({ folder, run, benchmark, lines, scores, records, judges, finished, check, agreement, browsing })
}

export async function loadComparison(a: string, b: string): Promise<RunDifferences> {
  return compareReports(await comparedRun(a), await comparedRun(b))
}

// The data of a run, if they are still there and unchanged.
export async function openRunData({
  benchmark: name,
  data,
  split,
  limit,
  map,
  options,
  dataHash,
}: BenchRun): Promise<Collected | undefined> {
  try {
    const benchmark = await loadBenchmark(name)
    const collected = await collectSamples(benchmark, data, { split, limit, map }, options)
    return collected.hash === dataHash ? collected : undefined
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

async function comparedRun(folder: string): Promise<ComparedRun> {
  const run = await readBenchRun(folder)
  return {
    name: basename(folder),
    run,
    judgedTasks: listJudgedTasks(await loadBenchmark(run.benchmark)),
    config: await readJsonFile(join(folder, 'config.json')),
    lines: await readLines(folder),
  }
}

const StoredScores = z.object({ strict: z.looseObject({}), official: z.looseObject({}) })

async function scoresThen(folder: string): Promise<Record<Scoring, Scores> | undefined> {
  const parsed = StoredScores.safeParse(await readJsonFile(join(folder, 'scores.json')))
  return parsed.success ? (parsed.data as unknown as Record<Scoring, Scores>) : undefined
}
