import type { Benchmark } from '../benchmarks/benchmark.ts'
import { linesOf } from '../data/lines.ts'
import type { Scores, Scoring } from '../data/sample.ts'
import type { SampleLine } from '../data/sample-line.ts'
import type { Collected } from './collect-samples.ts'

// A run's scores by the benchmark's own scorer, over the records that the run is about and no others.
export async function scoreRun(
  benchmark: Benchmark,
  collected: Collected,
  lines: readonly SampleLine[],
  scoring: Scoring,
): Promise<Scores> {
  const replies = linesOf(replyLines(benchmark, collected, lines))
  const scores = await benchmark.score({ records: collected.records, replies, scoring })
  return { ...scores, excluded: [...collected.leftOut, ...scores.excluded] }
}

// The lines of a replies file, as "bench score" reads it.
export function replyLines(
  { judgedRecords }: Pick<Benchmark, 'judgedRecords'>,
  { samples }: Pick<Collected, 'samples'>,
  lines: readonly SampleLine[],
): string[] {
  if (judgedRecords) return judgedRecords.lines(samples, lines)
  return lines.map(line => JSON.stringify({ id: line.id, replies: line.replies, judge: line.judge?.replies ?? {} }))
}
