import type { Sample, Scores, Scoring } from '../../src/core/benchmark.ts'
import { readAllvb } from '../benchmarks/allvb/index.ts'
import { scoreAllvb } from '../benchmarks/allvb/score.ts'
import { cgBenchRecords } from '../benchmarks/cg-bench/index.ts'
import { scoreCgBench } from '../benchmarks/cg-bench/score.ts'
import { infiniBenchRecords } from '../benchmarks/infinibench/record.ts'
import { scoreInfiniBench } from '../benchmarks/infinibench/score.ts'
import { readToolCalls } from '../benchmarks/longshot/agentic/tool-calls.ts'
import { judgedSample, type TurnResult } from '../benchmarks/longshot/judged.ts'
import { isDict } from '../benchmarks/longshot/python-error.ts'
import { scoreLongshot } from '../benchmarks/longshot/score.ts'
import { longVideoBenchRecords, scoreLongVideoBench } from '../benchmarks/longvideobench/index.ts'
import { lvBenchRecords, scoreLvBench } from '../benchmarks/lvbench/index.ts'
import { mlvuRecords, scoreMlvu } from '../benchmarks/mlvu/index.ts'
import { needleRecords } from '../benchmarks/needle/index.ts'
import { scoreNeedle } from '../benchmarks/needle/score.ts'
import { scoreVideoMme, videoMmeRecords } from '../benchmarks/video-mme/index.ts'
import { videoEvalProRecords } from '../benchmarks/videoeval-pro/index.ts'
import { scoreVideoEvalPro } from '../benchmarks/videoeval-pro/score.ts'
import { linesOf } from '../data/lines.ts'
import type { SampleLine } from './line.ts'
import { criteriaOf, stepOf, turnOf } from './rubric.ts'

export interface RunToScore {
  benchmark: string
  data: string
  split?: string
  samples: readonly Sample[] // what the run is about: records outside it do not count
  lines: readonly SampleLine[]
}

// A run's scores by the benchmark's own scorer, over the records that the run is about and no others.
export async function scoreRun(run: RunToScore): Promise<(scoring: Scoring) => Promise<Scores>> {
  const score = await scorers[run.benchmark](run)
  return scoring => score(scoring)
}

// The lines of a replies file, as "bench score" reads it.
export function replyLines(run: Pick<RunToScore, 'benchmark' | 'samples' | 'lines'>): string[] {
  if (run.benchmark === 'longshot') return judgedLines(run)
  return run.lines.map(line => JSON.stringify({ id: line.id, replies: line.replies, judge: line.judge?.replies ?? {} }))
}

type Scorer = (run: RunToScore) => Promise<(scoring: Scoring) => Promise<Scores>>

function scorer<Item>(
  read: (data: string, split?: string) => Promise<Item[]>,
  idsOf: (record: Item, place: number) => string[],
  score: (records: Item[], input: { replies: AsyncIterable<string>; scoring: Scoring }) => Promise<Scores>,
): Scorer {
  return async run => {
    const wanted = new Set(run.samples.map(sample => sample.id))
    const records = (await read(run.data, run.split)).filter((record, i) => idsOf(record, i).some(id => wanted.has(id)))
    return scoring => score(records, { replies: linesOf(replyLines(run)), scoring })
  }
}

const scorers: Record<string, Scorer> = {
  'cg-bench': scorer(cgBenchRecords, record => [record.qid], scoreCgBench),
  allvb: scorer(readAllvb, record => [record.id], scoreAllvb),
  // Known by their place in the file: a run holds the first of them, so that places stay.
  'videoeval-pro': scorer(videoEvalProRecords, (_, place) => [String(place)], scoreVideoEvalPro),
  infinibench: scorer(infiniBenchRecords, record => [record.id, `${record.skill}:${record.id}`], scoreInfiniBench),
  'video-mme': scorer(videoMmeRecords, record => [record.id], scoreVideoMme),
  lvbench: scorer(lvBenchRecords, record => [record.id], scoreLvBench),
  mlvu: scorer(mlvuRecords, record => [record.id], scoreMlvu),
  longvideobench: scorer(longVideoBenchRecords, record => [record.id], scoreLongVideoBench),
  needle: scorer(needleRecords, record => [record.id], scoreNeedleReplies),
  longshot: async run => {
    const dataset = conversationsOf(run.samples)
    return scoring => scoreLongshot({ replies: linesOf(judgedLines(run)), scoring }, dataset)
  },
}

async function scoreNeedleReplies(
  records: Awaited<ReturnType<typeof needleRecords>>,
  { replies, scoring }: { replies: AsyncIterable<string>; scoring: Scoring },
): Promise<Scores> {
  const byId = new Map<string, SampleLine['replies']>()
  for await (const text of replies) {
    const line = JSON.parse(text) as Pick<SampleLine, 'id' | 'replies'>
    byId.set(line.id, line.replies)
  }
  const asked = new Set([...byId.values()].flatMap(Object.keys))
  const reply = (id: string, task: string) => (asked.has(task) ? (byId.get(id)?.[task] ?? null) : undefined)
  return scoreNeedle(
    records.map(record => ({ record, open: reply(record.id, 'open'), mcq: reply(record.id, 'mcq') })),
    scoring,
  )
}

// Conversations with the answers and verdicts of their turns, as the released tools keep them.
function judgedLines({ samples, lines }: Pick<RunToScore, 'samples' | 'lines'>): string[] {
  const byId = new Map(lines.map(line => [line.id, line]))
  const turns = new Map<unknown, Map<number, TurnResult>>()
  for (const sample of samples) {
    const line = byId.get(sample.id)
    if (!line) continue
    const verdicts = criteriaOf(sample).map((_, i) => line.judge?.replies[stepOf(i)] ?? null)
    const results = turns.get(sample.record) ?? new Map<number, TurnResult>()
    const called = line.replies.tools
    const calls = typeof called === 'string' ? readToolCalls(called) : undefined
    results.set(turnOf(sample), { answer: line.replies.answer ?? null, verdicts, ...(calls && { calls }) })
    turns.set(sample.record, results)
  }
  return [...turns].map(([record, results]) => JSON.stringify(judgedSample(isDict(record) ? record : {}, results)))
}

function conversationsOf(samples: readonly Sample[]): unknown[] {
  return [...new Set(samples.map(sample => sample.record))]
}
