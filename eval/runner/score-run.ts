import { UsageError } from '../../src/core/errors.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import { gradeReplies, sumGrades } from '../benchmarks/grades.ts'
import { writeJsonLines } from '../data/lines.ts'
import type { ReplyRecord } from '../data/replies.ts'
import type { Scores, Scoring } from '../data/sample.ts'
import type { SampleLine } from '../data/sample-line.ts'
import type { Collected } from './collect-samples.ts'

// A run's scores, both ways, over the records that the run is about and no others: sums of the grades that its lines keep.
export async function scoreRun(
  benchmark: Benchmark,
  collected: Collected,
  lines: readonly SampleLine[],
): Promise<Record<Scoring, Scores>> {
  const { records, leftOut } = collected
  const listed = (scores: Scores): Scores => ({ ...scores, excluded: [...leftOut, ...scores.excluded] })
  const { judgedRecords } = benchmark
  if (judgedRecords) {
    const judged = replyLines(benchmark, collected, lines)
    const scored = async (scoring: Scoring) =>
      listed(await judgedRecords.score({ records, replies: writeJsonLines(judged), scoring }))
    const strict = await scored('strict')
    return { strict, official: await scored('official').catch(error => withoutOfficial(error, strict)) }
  }
  const byId = new Map(lines.map(line => [line.id, toReplyRecord(line)]))
  const graded = gradeReplies(benchmark, records, { byId, notes: [] })
  return {
    strict: listed(sumGrades(benchmark, graded, 'strict')),
    official: listed(sumGrades(benchmark, graded, 'official')),
  }
}

function toReplyRecord({ id, replies, judge, grades, grading }: SampleLine): ReplyRecord {
  return { id, replies, judge: judge?.replies ?? {}, ...(grading === 2 && { grades }) }
}

// The released scorer of LongShOTBench stops on samples that it cannot read; strict scoring stands all the same.
function withoutOfficial(error: unknown, strict: Scores): Scores {
  if (!(error instanceof UsageError)) throw error
  const metrics = Object.fromEntries(Object.keys(strict.metrics).map(name => [name, null]))
  return { ...strict, scoring: 'official', metrics, groups: {}, excluded: [{ id: '', reason: error.message }] }
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
