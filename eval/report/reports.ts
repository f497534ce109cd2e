import { basename, join } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import { sha256 } from '../../src/core/json.ts'
import { browsingTools } from '../../src/runtime/tools/toolbox.ts'
import { readJsonLines } from '../../src/store/json-lines.ts'
import { listNames } from '../../src/store/read-file.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import { loadBenchmark } from '../benchmarks/index.ts'
import { listJudgedTasks } from '../benchmarks/judged-tasks.ts'
import { readJsonFile } from '../data/read-json-file.ts'
import type { Scores, Scoring } from '../data/sample.ts'
import { isUnjudged, Judgment, type SampleLine } from '../data/sample-line.ts'
import { checkedText, checkOfRun } from '../judges/calibration/judge-check.ts'
import { type Collected, collectSamples } from '../runner/collect-samples.ts'
import { readIndexCosts } from '../runner/files/index-costs.ts'
import { agreementOfRun } from '../runner/files/kept-agreement.ts'
import { type BenchRun, readBenchRun, readLines } from '../runner/files/run-files.ts'
import { scoreRun } from '../runner/score-run.ts'
import { type ComparedRun, compareReports, type RunDifferences } from './compare-runs.ts'
import { averageEpochs, readEpochs } from './epochs.ts'
import { type RunReport, runReport } from './run-report.ts'
import { describeSelfJudging } from './self-judging.ts'

// The report of a run, also of one that is not finished. If its data are unchanged its grades are summed anew; else its scores are
// those that it ended with.
export async function loadReport(folder: string): Promise<RunReport> {
  const run = await readBenchRun(folder)
  const lines = await readLines(folder)
  if (lines.length === 0)
    throw new UsageError(`The run in ${folder} has no answers yet.`, { hint: 'Resume it with --resume.' })
  const finished = (await readJsonFile(join(folder, 'summary.json'))) !== undefined
  const [benchmark, collected, browsing] = await Promise.all([
    loadBenchmark(run.benchmark),
    openRunData(run),
    browsingTools(),
  ])
  const scores = collected ? await scoreRun(benchmark, collected, lines) : await readStoredScores(folder)
  const records = collected?.records.length
  const judges = collected && (await scoresByJudge(folder, benchmark, collected, lines))
  const [check, agreement, indexCosts, config] = await Promise.all([
    checkOfRun(folder),
    agreementOfRun(folder),
    readIndexCosts(folder),
    readJsonFile(join(folder, 'config.json')),
  ])
  const { families } = readJudging(config)
  const epochs = await readEpochs(folder, lines, run.tasks)
  const stored = { folder, run, benchmark, lines, scores, records, judges, check, agreement, indexCosts, families }
  return runReport({ ...stored, finished, browsing, epochs })
}

export async function loadComparison(a: string, b: string): Promise<RunDifferences> {
  return compareReports(await comparedRun(a), await comparedRun(b))
}

// The data of a run, if they are still there and unchanged.
export async function openRunData(
  run: Pick<BenchRun, 'benchmark' | 'data' | 'split' | 'limit' | 'map' | 'options' | 'dataHash'>,
): Promise<Collected | undefined> {
  try {
    const collected = await collectSamples(await loadBenchmark(run.benchmark), run.data, run, run.options)
    return collected.hash === run.dataHash ? collected : undefined
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

const Judging = z.looseObject({ judging: z.looseObject({ families: z.record(z.string(), z.array(z.string())) }) })

function readJudging(config: unknown): { families?: Record<string, string[]> } {
  return Judging.safeParse(config).data?.judging ?? {}
}

async function comparedRun(folder: string): Promise<ComparedRun> {
  const run = await readBenchRun(folder)
  const [config, check] = await Promise.all([readJsonFile(join(folder, 'config.json')), checkOfRun(folder)])
  const selfJudging = describeSelfJudging(run, readJudging(config).families)
  return {
    name: basename(folder),
    run,
    ...(run.judgedBy !== undefined && { judging: `${run.judgedBy}; ${checkedText(check)}` }),
    ...(selfJudging !== undefined && { selfJudging }),
    judgedTasks: listJudgedTasks(await loadBenchmark(run.benchmark)),
    config,
    lines: await averageEpochs(folder, await readLines(folder)),
  }
}

const Texts = z.array(z.string()).default([])
const StoredScoring = z.looseObject({ unjudged: Texts, notes: Texts })
const StoredScores = z.object({ strict: StoredScoring, official: StoredScoring })

async function readStoredScores(folder: string): Promise<Record<Scoring, Scores> | undefined> {
  const parsed = StoredScores.safeParse(await readJsonFile(join(folder, 'scores.json')))
  return parsed.success ? (parsed.data as unknown as Record<Scoring, Scores>) : undefined
}

const StoredJudgment = z.object({ id: z.string(), reply: z.string(), judgment: Judgment })

// The official metrics under each other judge whose verdicts "bench judges" kept below a run; one that did not judge every answer is
// left out.
async function scoresByJudge(
  folder: string,
  benchmark: Benchmark,
  collected: Collected,
  lines: readonly SampleLine[],
): Promise<Record<string, Scores['metrics']>> {
  const { judge } = benchmark
  if (!judge) return {}
  const byJudge = new Map<string, Map<string, Judgment>>()
  for (const name of await listNames(join(folder, 'judges')))
    for (const { id, reply, judgment } of await readJsonLines(
      join(folder, 'judges', name, 'verdicts.jsonl'),
      StoredJudgment,
    ))
      byJudge.set(judgment.by, (byJudge.get(judgment.by) ?? new Map()).set(`${id}\n${reply}`, judgment))
  const judged = new Set(collected.samples.filter(sample => judge.judges(sample)).map(({ id }) => id))
  const metricsByJudge: Record<string, Scores['metrics']> = {}
  for (const [name, judgments] of byJudge) {
    const again = lines.map((line): SampleLine => {
      const reply = line.replies[judge.task]
      const judgment =
        typeof reply === 'string' ? judgments.get(`${line.id}\n${sha256(reply).slice(0, 16)}`) : undefined
      return { ...line, judge: judgment, grading: undefined } // graded by other verdicts
    })
    const isDue = ({ id, replies }: SampleLine) => judged.has(id) && typeof replies[judge.task] === 'string'
    if (again.some(line => isDue(line) && (!line.judge || isUnjudged(line)))) continue
    metricsByJudge[name] = (await scoreRun(benchmark, collected, again)).official.metrics
  }
  return metricsByJudge
}
