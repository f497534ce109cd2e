import { UsageError } from '../../src/core/errors.ts'
import { parseStoredJson } from '../../src/store/read-file.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import { type GradedReplies, gradeReplies, sumGrades } from '../benchmarks/grades.ts'
import { loadBenchmark } from '../benchmarks/index.ts'
import type { RecordMap } from '../benchmarks/map/record-map.ts'
import { withMap } from '../benchmarks/map/with-map.ts'
import { allSamples, nameSamples, readSplit } from '../benchmarks/read-split.ts'
import { repliesAt } from '../benchmarks/released/replies-at.ts'
import { findDataFaults, listIds } from '../data/data-faults.ts'
import { writeJsonLines } from '../data/lines.ts'
import { readReplies } from '../data/replies.ts'
import type { Scores, Scoring } from '../data/sample.ts'
import { collectSamples } from './collect-samples.ts'

export interface ScoreRequest {
  benchmark: string
  data?: string
  split?: string
  map?: RecordMap
  replies: AsyncIterable<string> // JSON lines
}

export interface ScoredReplies {
  benchmark: Benchmark
  split?: string // of the data
  records: readonly unknown[] // of the data
  faults: string[] // of the data
  graded?: GradedReplies<unknown> // not where whole judged records are scored
  judged: readonly string[] // the lines of such records
  score(scoring: Scoring): Promise<Scores>
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

// Reads and grades replies once, for both scorings. Only judged records do without the data, which say what is missing among them.
export async function scoreReplies(request: ScoreRequest): Promise<ScoredReplies> {
  const { benchmark: name, data, split: wanted, map, replies } = request
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
  const samples = nameSamples(allSamples(benchmark, records))
  const scored = { benchmark, split, records, faults: findDataFaults(samples) }
  const { judgedRecords } = benchmark
  if (judgedRecords) {
    const judged: string[] = []
    for await (const line of replies) judged.push(line)
    const ids = judged.flatMap(line => judgedRecords.idOf(parseStoredJson(line)) ?? [])
    if (data !== undefined) refuseOtherIds(ids, records.map(judgedRecords.idOf))
    return {
      ...scored,
      judged,
      score: scoring => judgedRecords.score({ records, replies: writeJsonLines(judged), scoring }),
    }
  }
  const lines = await readReplies(replies)
  const graded = gradeReplies(benchmark, records, lines)
  refuseOtherIds(
    [...lines.byId.keys()],
    samples.map(({ id }) => id),
    graded.graded.some(({ line }) => line),
  )
  return { ...scored, judged: [], graded, score: async scoring => sumGrades(benchmark, graded, scoring) }
}

// Replies of which none is to a question of the data are of other data, or go by other ids.
function refuseOtherIds(
  ids: readonly string[],
  known: readonly (string | undefined)[],
  isAnyKnown = ids.some(id => known.includes(id)),
): void {
  if (isAnyKnown) return
  if (ids.length === 0)
    throw new UsageError('The replies hold no line.', { hint: 'Name the file of a run that has answers.' })
  throw new UsageError(`None of the ${ids.length} ids of the replies is an id of the data.`, {
    hint: `Replies: ${listIds(ids)}. Data: ${listIds(known.flatMap(id => id ?? []))}.`,
  })
}
