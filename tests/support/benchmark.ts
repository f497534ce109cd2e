import type { Benchmark, ScoreInput } from '../../eval/benchmarks/benchmark.ts'
import type { Sample, Scores } from '../../eval/benchmarks/sample.ts'

export function scorerOf<Item>(benchmark: Benchmark<Item>) {
  return (records: readonly Item[], input: Omit<ScoreInput<Item>, 'records'>): Promise<Scores> =>
    benchmark.score({ records, ...input })
}

export async function samplesOf<Item>(
  benchmark: Benchmark<Item>,
  data: string,
  split?: string,
): Promise<Sample<Item>[]> {
  return (await benchmark.records(data, split)).flatMap((record, place) => benchmark.samples(record, place))
}
