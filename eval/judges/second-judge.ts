import { join } from 'node:path'
import { secretsOf } from '../../src/app/ask/recorded-run.ts'
import { UsageError } from '../../src/core/errors.ts'
import { recordCalls } from '../../src/store/call-log/record.ts'
import { openJsonLines } from '../../src/store/json-lines.ts'
import { redactor } from '../../src/store/redact.ts'
import type { BenchWorld } from '../bench/bench-request.ts'
import { keptGrade } from '../benchmarks/grades.ts'
import { loadBenchmark } from '../benchmarks/index.ts'
import type { Sample } from '../benchmarks/sample.ts'
import { cohensKappa } from '../metrics/kappa.ts'
import { dataOf } from '../report/reports.ts'
import { readBenchRun, readLines } from '../runner/run-files.ts'
import type { SampleLine, TaskGrade } from '../runner/sample-line.ts'
import { withJudge } from './bench-judge.ts'

export interface SecondJudge {
  folder: string
  judge: 'model' | 'words'
  wording?: string
  limit?: number
  onJudged(done: number, total: number): void
}

export interface SecondOpinion extends Agreement {
  first: string // the judges' names
  second: string
  file: string // where the second judge's verdicts are kept
}

// Grades the answers of a run once more with another judge. The run's own verdicts stay as they are; no question is asked.
export async function secondOpinion(work: SecondJudge, world: BenchWorld): Promise<SecondOpinion> {
  const run = await readBenchRun(work.folder)
  const benchmark = await loadBenchmark(run.benchmark)
  const collected = await dataOf(run)
  if (!collected)
    throw new UsageError(`The data of this run are not at ${run.data} any more, or have changed.`, {
      hint: 'A judge needs them: put them back.',
    })
  const redact = redactor(secretsOf(world.environment))
  const otherwise = 'Its answers are compared as they are.'
  return withJudge(benchmark, { ...work, otherwise }, world, async opened => {
    const judge = opened.withChat?.(recordCalls(join(work.folder, 'calls', 'second-judge'), redact).model) ?? opened
    const { task } = judge.protocol
    const byId = new Map(collected.samples.map(sample => [sample.id, sample]))
    const judged = (await readLines(work.folder)).flatMap(line => toJudge(line, byId, task))
    const chosen = spread(judged, work.limit)
    const name = `second-judge-${judge.name.replace(/[^\w-]+/g, '_')}.jsonl`
    const rows = await openJsonLines(join(work.folder, name), 'each-line')
    const pairs: GradedTwice[] = []
    for (const { first, sample, reply } of chosen) {
      const judgment = await judge.judge({ sample, reply, signal: world.signal })
      const second = keptGrade(benchmark, sample, task, { reply, judge: judgment.replies })
      await rows.append(redact({ id: sample.id, judgment, grade: second }))
      pairs.push({ id: sample.id, first, second })
      work.onJudged(pairs.length, chosen.length)
    }
    return { ...agreementOf(pairs), first: run.judgedBy ?? 'none', second: judge.name, file: join(work.folder, name) }
  })
}

interface ToJudgeAgain {
  first: TaskGrade
  sample: Sample
  reply: string
}

function toJudge(line: SampleLine, samples: ReadonlyMap<string, Sample>, task: string): ToJudgeAgain[] {
  const sample = samples.get(line.id)
  const reply = line.replies[task]
  const first = line.grades[task]
  return sample && first && line.judge && typeof reply === 'string' ? [{ first, sample, reply }] : []
}

// Evenly over the run, so that a part stands for the whole.
function spread<Item>(items: readonly Item[], limit = items.length): Item[] {
  if (limit >= items.length) return [...items]
  return Array.from({ length: limit }, (_, i) => items[Math.floor(((i + 0.5) * items.length) / limit)]!)
}

interface GradedTwice {
  id: string
  first: TaskGrade
  second: TaskGrade
}

interface Agreement {
  n: number // answers that both judged
  agreed: number
  share: number | null
  kappa: number | null // of right (0.5 and more) against wrong
  difference: number | null // mean of the second's score minus the first's
  disputed: { id: string; first: number; second: number }[]
  unjudged: number // answers that one of them left without a verdict
}

// Two judges over the same answers, side by side.
export function agreementOf(pairs: readonly GradedTwice[]): Agreement {
  const judged = pairs.flatMap(({ id, first, second }) =>
    first.score === null || second.score === null ? [] : [{ id, first: first.score, second: second.score }],
  )
  const right = (score: number) => score >= 0.5
  const disputed = judged.filter(pair => right(pair.first) !== right(pair.second))
  const n = judged.length
  return {
    n,
    agreed: n - disputed.length,
    share: n === 0 ? null : (n - disputed.length) / n,
    kappa: cohensKappa(
      judged.map(pair => right(pair.first)),
      judged.map(pair => right(pair.second)),
    ),
    difference: n === 0 ? null : judged.reduce((sum, pair) => sum + pair.second - pair.first, 0) / n,
    disputed,
    unjudged: pairs.length - n,
  }
}
