import { UsageError } from '../../src/core/errors.ts'
import type { BenchWorld } from '../bench-world.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import { loadBenchmark } from '../benchmarks/index.ts'
import type { RecordMap } from '../benchmarks/map/record-map.ts'
import { repliesAt } from '../benchmarks/released/replies-at.ts'
import { readReplies } from '../data/replies.ts'
import type { Sample } from '../data/sample.ts'
import { withJudge } from '../judges/bench-judge.ts'
import type { JudgeService } from '../judges/judge-service.ts'
import { collectSamples } from '../runner/collect-samples.ts'
import { findBenchFiles } from '../runner/find-files.ts'
import { findStoredSight, mayLook, missingIn, type StoredSight, sampleVideo } from './stored-sight.ts'

interface JudgeReplies {
  benchmark: string
  data: string
  videos?: string // where they lie, for a judge that may look
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
    const replyList = [...(await readReplies(repliesAt(benchmark, replies, async () => samples))).byId.values()]
    const toJudge = new Map<string, { sample: Sample; reply: string }>()
    for (const { id, replies } of replyList) {
      const sample = byId.get(id)
      const reply = replies[service.protocol.task]
      if (sample && typeof reply === 'string' && service.protocol.judges(sample)) toJudge.set(id, { sample, reply })
    }
    const samplesToJudge = [...toJudge.values()].map(({ sample }) => sample)
    const look = mayLook({ service }) ? await sightIn(work, benchmark, service, samplesToJudge, world) : undefined
    const lines: string[] = []
    let failed = 0
    for (const line of replyList) {
      const judged = toJudge.get(line.id)
      if (!judged) {
        lines.push(JSON.stringify(line))
        continue
      }
      const sight = look && (() => look(judged.sample))
      const judgment = await service.judge({ ...judged, sight, signal: world.signal })
      failed += Object.keys(judgment.failed).length > 0 ? 1 : 0
      lines.push(JSON.stringify({ ...line, judge: judgment.replies }))
      onJudged(lines.length, replyList.length)
    }
    return { lines, failed }
  })
}

// What the judge is shown of an answer that the texts leave open. Without its video such an answer has no verdict.
async function sightIn(
  { data, videos }: JudgeReplies,
  benchmark: Benchmark,
  { protocol }: JudgeService,
  samples: readonly Sample[],
  world: BenchWorld,
): Promise<StoredSight> {
  const request = { data, videos, tasks: [protocol.task], by: 'longtake' as const }
  const files = await findBenchFiles(request, benchmark, samples, { blind: false, looksBeside: false }, world)
  const names = samples.map(sampleVideo)
  const missing = missingIn(names, files.find)
  if (missing.length > 0)
    world.say(
      `${missing.length} of ${new Set(names).size} videos are not there (${missing[0]}${missing.length > 1 ? ', ...' : ''}): where the judge has to look, an answer gets no verdict. --videos names their folder.`,
    )
  return findStoredSight(files, { by: 'longtake' }, world.signal)
}
