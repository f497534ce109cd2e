import type { Benchmark, ScoreInput } from '../../eval/benchmarks/benchmark.ts'
import { scoreReplyLines } from '../../eval/benchmarks/grades.ts'
import { allSamples, readSplit } from '../../eval/benchmarks/read-split.ts'
import type { Sample, Scores } from '../../eval/data/sample.ts'

export function scorerOf<Item>(benchmark: Benchmark<Item>) {
  return (records: readonly Item[], input: Omit<ScoreInput<Item>, 'records'>): Promise<Scores> =>
    scoreReplyLines(benchmark, { records, ...input })
}

export async function recordsOf<Item>(benchmark: Benchmark<Item>, data: string, split?: string): Promise<Item[]> {
  return (await readSplit(benchmark, data, split)).records
}

export async function samplesOf<Item>(
  benchmark: Benchmark<Item>,
  data: string,
  split?: string,
): Promise<Sample<Item>[]> {
  return allSamples(benchmark, await recordsOf(benchmark, data, split))
}
