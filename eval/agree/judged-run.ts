import { basename } from 'node:path'
import { UsageError } from '../../src/core/errors.ts'
import { sha256 } from '../../src/core/json.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import { loadBenchmark } from '../benchmarks/index.ts'
import { splitAskedBy } from '../data/asked-by.ts'
import type { Sample } from '../data/sample.ts'
import type { Judgment } from '../data/sample-line.ts'
import type { Protocol, VerdictKind } from '../protocols/judge/protocol.ts'
import { openRunData } from '../report/reports.ts'
import { type BenchRun, readBenchRun, readLines } from '../runner/files/run-files.ts'

export interface JudgedAnswer {
  sample: Sample
  reply: string
  hash: string // of the reply: a verdict is only of these words
  judgment?: Judgment // of the run's own judge
}

// A run with the open answers that a judge or a person can grade.
export interface JudgedRun {
  folder: string
  name: string
  run: BenchRun
  benchmark: Benchmark & { judge: Protocol }
  model: string // who answered
  answers: JudgedAnswer[]
}

// Where the data and videos of a run lie, if no longer where it read them.
export interface DataPlace {
  data?: string
  videos?: string
}

export async function loadJudgedRun(folder: string, { data, videos }: DataPlace = {}): Promise<JudgedRun> {
  const before = await readBenchRun(folder)
  const run = {
    ...before,
    data: data ?? before.data,
    videos: videos ?? (data === undefined ? before.videos : undefined),
  }
  const benchmark = await loadBenchmark(run.benchmark)
  const { judge } = benchmark
  if (!judge)
    throw new UsageError(`${benchmark.name} has no open answers that a judge grades.`, {
      hint: 'Its answers are compared as they are.',
    })
  const collected = await openRunData(run)
  if (!collected)
    throw new UsageError(`The data of this run are not at ${run.data} any more, or have changed.`, {
      hint: 'A judge needs them: put them back, or say with --data where they are.',
    })
  const byId = new Map(collected.samples.map(sample => [sample.id, sample]))
  const answers = (await readLines(folder)).flatMap(({ id, replies, judge: judgment }): JudgedAnswer[] => {
    const sample = byId.get(id)
    const reply = replies[judge.task]
    if (!sample || typeof reply !== 'string' || !judge.judges(sample)) return []
    return [{ sample, reply, hash: sha256(reply).slice(0, 16), judgment }]
  })
  return { folder, name: basename(folder), run, benchmark: { ...benchmark, judge }, model: readModel(run), answers }
}

function readModel({ by, models }: BenchRun): string {
  const { kind, command } = splitAskedBy(by)
  const roles = { alone: 'vision', host: 'planner' } as Partial<Record<string, string>>
  return command ?? models[roles[kind] ?? 'writer'] ?? 'unknown'
}

// One thing of one answer that can be judged.
export interface Item extends VerdictKind {
  key: string
  run: JudgedRun
  answer: JudgedAnswer
}

export function listItems(run: JudgedRun): Item[] {
  return run.answers.flatMap(answer =>
    run.benchmark.judge
      .verdicts(answer.sample)
      .map(verdict => ({ ...verdict, run, answer, key: `${run.folder}\n${answer.sample.id}\n${verdict.step}` })),
  )
}

// What a judge said of each item, where it said anything that can be read.
export function verdictsBy(
  items: readonly Item[],
  judgmentOf: (item: Item) => Judgment | undefined,
): Map<string, number> {
  return new Map(
    items.flatMap(item => {
      const verdict = item.run.benchmark.judge.verdictOf(item.step, judgmentOf(item)?.replies ?? {})
      return verdict === null ? [] : [[item.key, verdict] as const]
    }),
  )
}
