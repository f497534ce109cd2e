import { z } from 'zod'
import { UsageError } from '../../../src/core/errors.ts'
import type { StageChanges } from '../../../src/runtime/index/stage-changes.ts'
import { createRuntime } from '../../../src/runtime/runtime.ts'
import { listSecrets, redactor } from '../../../src/store/redact.ts'
import { loadBenchmark } from '../../benchmarks/index.ts'
import { openJudge } from '../../judges/bench-judge.ts'
import { judgeModes } from '../../protocols/judge/protocol.ts'
import { askedWith } from '../ask/asks-of-sample.ts'
import type { RunContext } from '../ask/run-samples.ts'
import type { BenchParts } from '../bench-parts.ts'
import { SentRow } from './sent-row.ts'

// How the questions of a run are asked, as another machine has to know it. Settings travel beside it; files are here as their text.
export const SentAsking = z.strictObject({
  benchmark: z.string(),
  by: z.enum(['agent', 'model']),
  tasks: z.array(z.string()).min(1),
  options: z.record(z.string(), z.unknown()),
  judge: z.enum(['model', 'words', 'off']),
  mode: z.enum(judgeModes).optional(), // of the judge
  wording: z.string().optional(),
  prompts: z.record(z.string(), z.string()).optional(),
  concurrency: z.int().min(1),
  row: SentRow.optional(), // of an ablation
})
export type SentAsking = z.infer<typeof SentAsking>

export function askingToSend({
  request,
  benchmark,
  by,
  tasks,
  options,
  judge,
  mode,
  wordingText,
  prompts,
}: BenchParts) {
  const sent: SentAsking = {
    benchmark: benchmark.name,
    by,
    tasks: [...tasks],
    options,
    judge: judge === undefined ? 'off' : judge.name === 'words' ? 'words' : 'model',
    mode,
    wording: wordingText,
    prompts,
    concurrency: request.concurrency,
    row: request.change?.sent,
  }
  return SentAsking.parse(JSON.parse(JSON.stringify(sent)))
}

// What a worker asks with. Close its runtime at the end.
export async function openSentAsking(
  sent: SentAsking,
  world: Parameters<typeof createRuntime>[0] & { say(line: string): void },
  stages: StageChanges = {},
): Promise<RunContext> {
  const benchmark = await loadBenchmark(sent.benchmark)
  const options = benchmark.settings.safeParse(sent.options)
  if (!options.success) throw new UsageError(`The run has settings that ${benchmark.name} does not take here.`)
  const runtime = await createRuntime({ ...world, fixedIndexes: stages })
  try {
    return {
      benchmark: askedWith(benchmark, options.data as Record<string, unknown>),
      by: sent.by,
      tasks: new Set(sent.tasks),
      options: options.data as Record<string, unknown>,
      runtime,
      judge: await openJudge({ ...sent, benchmark, models: runtime.models, say: world.say }),
      wordingText: sent.wording,
      prompts: sent.prompts,
      redact: redactor(listSecrets(world.environment)),
    }
  } catch (error) {
    await runtime.close()
    throw error
  }
}
