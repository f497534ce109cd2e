import { roleNames } from '../../src/config/profiles.ts'
import { recordedSettings } from '../../src/config/recorded-settings.ts'
import { UsageError } from '../../src/core/errors.ts'
import type { Role } from '../../src/core/services.ts'
import { freezeIndex } from '../../src/runtime/index/frozen-index.ts'
import type { StageChanges } from '../../src/runtime/index/plan-stages.ts'
import { createRuntime } from '../../src/runtime/runtime.ts'
import { listSecrets, redactor } from '../../src/store/redact.ts'
import { loadBenchmark } from '../benchmarks/index.ts'
import { openJudge } from '../judges/bench-judge.ts'
import { askedWith } from './ask/asks-of-sample.ts'
import type { RunContext } from './ask/run-context.ts'
import type { BenchParts } from './bench-parts.ts'
import { AskingSpec, type RunSpec } from './run-spec.ts'

export async function writeSpec(parts: BenchParts): Promise<RunSpec> {
  const { request, benchmark, by, tasks, options, judge, mode, wordingText, prompts, settings, runtime, redact } = parts
  if (settings.tools.files.length > 0)
    throw new UsageError(`A tool of your own (${settings.tools.files[0]}) is not sent to other machines.`, {
      hint: 'Leave out --queue, or the tool.',
    })
  const asking = {
    benchmark: benchmark.name,
    by,
    tasks: [...tasks],
    options,
    judge: judge === undefined ? 'off' : judge.name === 'words' ? 'words' : 'model',
    mode,
    wording: wordingText,
    prompts,
    concurrency: request.concurrency,
    epoch: request.epoch,
    row: request.change?.sent,
  }
  const models = await freezeIndex(settings, runtime.host, roleNames as readonly Role[])
  const recorded = redact(recordedSettings(settings)) as RunSpec['settings']
  return { ...AskingSpec.parse(JSON.parse(JSON.stringify(asking))), settings: recorded, models }
}

// What a worker asks with. Close its runtime at the end.
export async function openSpec(
  spec: AskingSpec,
  world: Parameters<typeof createRuntime>[0] & { say(line: string): void },
  stages: StageChanges = {},
): Promise<RunContext> {
  const benchmark = await loadBenchmark(spec.benchmark)
  const options = benchmark.settings.safeParse(spec.options)
  if (!options.success) throw new UsageError(`The run has settings that ${benchmark.name} does not take here.`)
  const runtime = await createRuntime({ ...world, fixedIndexes: stages })
  try {
    return {
      benchmark: askedWith(benchmark, options.data as Record<string, unknown>),
      by: spec.by,
      epoch: spec.epoch,
      tasks: new Set(spec.tasks),
      options: options.data as Record<string, unknown>,
      runtime,
      judge: await openJudge({ ...spec, benchmark, models: runtime.models, say: world.say }),
      wordingText: spec.wording,
      prompts: spec.prompts,
      redact: redactor(listSecrets(world.environment)),
    }
  } catch (error) {
    await runtime.close()
    throw error
  }
}
