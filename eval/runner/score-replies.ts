import { UsageError } from '../../src/core/errors.ts'
import { scoreReplyLines } from '../benchmarks/grades.ts'
import { loadBenchmark } from '../benchmarks/index.ts'
import type { RecordMap } from '../benchmarks/map/record-map.ts'
import { withMap } from '../benchmarks/map/with-map.ts'
import { readSplit } from '../benchmarks/read-split.ts'
import { repliesAt } from '../benchmarks/released/replies-at.ts'
import type { Scores, Scoring } from '../data/sample.ts'
import { collectSamples } from './collect-samples.ts'

export interface ScoreRequest {
  benchmark: string
  data?: string
  split?: string
  map?: RecordMap
  replies: () => AsyncIterable<string> // JSON lines
  scoring: Scoring
}

export interface ScoredReplies {
  scores: Scores
  split?: string // of the data
  records: number // of the data
}

// The lines of a replies file, or of the files that the released tools left.
export async function* repliesIn(
  name: string,
  path: string,
  { data, split, map }: Pick<ScoreRequest, 'data' | 'split' | 'map'>,
): AsyncIterable<string> {
  const benchmark = await loadBenchmark(name)
  yield* repliesAt(benchmark, path, async () => {
    if (data !== undefined) return (await collectSamples(benchmark, data, { split, map })).samples
    throw new UsageError(`--data is missing: ${path} names no questions by the ids of ${name}.`, {
      hint: 'Name the folder or the file of the annotations.',
    })
  })
}

// Scores replies. Only judged records do without the data; for strict scoring the data say what is missing among them.
export async function scoreReplies(request: ScoreRequest): Promise<ScoredReplies> {
  const { benchmark: name, data, split: wanted, map, replies, scoring } = request
  const benchmark = await loadBenchmark(name)
  if (data === undefined && !benchmark.judgedRecords)
    throw new UsageError(`--data is missing: ${name} is scored against its annotations.`, {
      hint: `Name the folder or the file; "longtake bench show ${name}" says what to download.`,
    })
  if (data === undefined && wanted !== undefined)
    throw new UsageError(`--split ${wanted} is of the data, so it needs --data.`, { hint: 'Leave it out.' })
  if (data === undefined && map !== undefined)
    throw new UsageError('--map says how the data are read, so it needs --data.', { hint: 'Leave it out.' })
  const { records, split } =
    data === undefined ? { records: [] } : await readSplit(withMap(benchmark, map), data, wanted)
  const isRead = !(benchmark.judgedRecords && scoring === 'official')
  const scores = await scoreReplyLines(benchmark, { records: isRead ? records : [], replies: replies(), scoring })
  return { scores, split, records: records.length }
}
