import { UsageError } from '../../src/core/errors.ts'
import type { BenchWorld } from '../bench/bench-request.ts'
import { loadBenchmark } from '../benchmarks/index.ts'
import { readReplies } from '../data/replies.ts'
import { repliesAt } from '../interchange/replies-at.ts'
import type { RecordMap } from '../map/record-map.ts'
import { collectSamples } from '../runner/collect-samples.ts'
import { withJudge } from './bench-judge.ts'

export interface JudgeReplies {
  benchmark: string
  data: string
  split?: string
  map?: RecordMap
  replies: string // a file
  judge: 'model' | 'words'
  wording?: string
  onJudged(done: number, total: number): void
}

// The lines of a replies file with the open answers judged anew; whatever they held of a judge is replaced.
export async function judgeReplies(
  work: JudgeReplies,
  world: BenchWorld,
): Promise<{ lines: string[]; failed: number }> {
  const { benchmark: name, data, split, map, replies, judge, wording, onJudged } = work
  const benchmark = await loadBenchmark(name)
  if (benchmark.judgedRecords)
    throw new UsageError(`A judged file of ${name} holds no answers of their own to judge.`, {
      hint: 'Run "longtake bench agree RUN" on a run instead.',
    })
  const otherwise = 'Leave --judge out.'
  return withJudge(benchmark, { judge, wording, otherwise }, world, async service => {
    const { samples } = await collectSamples(benchmark, data, { split, map })
    const byId = new Map(samples.map(sample => [sample.id, sample]))
    const given = [...(await readReplies(repliesAt(benchmark, replies, async () => samples))).byId.values()]
    const lines: string[] = []
    let failed = 0
    for (const line of given) {
      const sample = byId.get(line.id)
      const reply = line.replies[service.protocol.task]
      if (!sample || typeof reply !== 'string' || !service.protocol.judges(sample)) {
        lines.push(JSON.stringify(line))
        continue
      }
      const judgment = await service.judge({ sample, reply, signal: world.signal })
      failed += Object.keys(judgment.failed).length > 0 ? 1 : 0
      lines.push(JSON.stringify({ ...line, judge: judgment.replies }))
      onJudged(lines.length, given.length)
    }
    return { lines, failed }
  })
}
