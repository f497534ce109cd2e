import type { SampleRecord, Scores, Scoring } from '../src/core/benchmark.ts'
import { UsageError } from '../src/core/errors.ts'
import { loadBenchmark } from './benchmarks/index.ts'
import { fileLines } from './data/lines.ts'

export interface ScoreRequest {
  benchmark: string
  data?: string // the annotation file or the folder that holds it; only a judged longshot file scores without
  replies: string // a file of JSON lines
  scoring: Scoring
}

// Scores old replies again: reads the data and the replies, asks nobody anything.
export async function scoreReplies({ benchmark, data, replies, scoring }: ScoreRequest): Promise<Scores> {
  const { score, name } = await loadBenchmark(benchmark)
  if (data === undefined && name !== 'longshot')
    throw new UsageError(`Scoring ${name} needs its annotations.`, {
      hint: `Give --data PATH; "longtake bench show ${name}" says what to download.`,
    })
  return score({ ...(data !== undefined && { data }), replies: fileLines(replies), scoring })
}

// The line of a replies file for what a run recorded about a sample.
export function replyLine({ sample, replies, judge }: Pick<SampleRecord, 'sample' | 'replies' | 'judge'>): string {
  return JSON.stringify({ id: sample.id, replies, judge })
}
