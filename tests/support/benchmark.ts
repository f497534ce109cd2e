import type { Benchmark, ScoreInput } from '../../eval/benchmarks/benchmark.ts'
import { type Gradable, gradeReplies, sumGrades } from '../../eval/benchmarks/grades.ts'
import { allSamples, readSplit } from '../../eval/benchmarks/read-split.ts'
import { readReplies } from '../../eval/data/replies.ts'
import type { Sample, Scores } from '../../eval/data/sample.ts'

// The scores of a file of replies.
export async function scoreReplyLines<Item>(benchmark: Gradable<Item>, input: ScoreInput<Item>): Promise<Scores> {
  const { records, replies, scoring } = input
  if (benchmark.judgedRecords) return benchmark.judgedRecords.score(input)
  return sumGrades(benchmark, gradeReplies(benchmark, records, await readReplies(replies)), scoring)
}

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
