import { join } from 'node:path'
import { linked } from '../../../src/core/basics/signals.ts'
import { filePolicy } from '../../../src/runtime/index/plan-stages.ts'
import { rolePrices } from '../../../src/runtime/models/prices.ts'
import type { LocalRuntime } from '../../../src/runtime/runtime.ts'
import { recordCalls } from '../../../src/store/call-log/record.ts'
import type { ReplayedCalls } from '../../../src/store/call-log/replay.ts'
import { resumeCalls } from '../../../src/store/call-log/resume.ts'
import type { Redact } from '../../../src/store/redact.ts'
import type { Benchmark } from '../../benchmarks/benchmark.ts'
import type { JudgeService } from '../../judges/judge-service.ts'
import { isBlind } from '../../protocols/show.ts'
import type { AgentChange } from '../bench-request.ts'
import type { Agent } from './agent.ts'
import type { AskedBy } from './asks-of-sample.ts'
import { benchAgent } from './bench-agent.ts'
import { directModel } from './direct-model.ts'
import { processSamples, type SampleWork, type Trajectory } from './process-samples.ts'

// Who is asked in a run and how, opened: what the process that runs it and a worker of a cluster have alike.
export interface RunContext {
  benchmark: Benchmark
  tasks: ReadonlySet<string>
  by: AskedBy
  options: Record<string, unknown> // the benchmark's own settings
  change?: AgentChange // a row of an ablation
  runtime: LocalRuntime
  judge?: JudgeService
  wordingText?: string
  prompts?: Record<string, string> // a person's own wording of the questions to a model alone
  redact: Redact
  replay?: ReplayedCalls
}

export interface RunOptions
  extends Pick<SampleWork, 'samples' | 'store' | 'concurrency' | 'watch' | 'onSample'>,
    Partial<Pick<SampleWork, 'signal'>> {
  folder: string // the calls are kept below it
}

// Settles samples of a run, all of them or some.
export async function runSamples(asking: RunContext, { folder, signal, ...work }: RunOptions): Promise<void> {
  const { benchmark, tasks, by, options, change, runtime, replay } = asking
  const link = linked(signal, runtime.host.signal, replay?.missed)
  try {
    await processSamples({
      ...work,
      benchmark,
      tasks,
      by,
      trajectory: readTrajectory(options),
      agent: openAgent(asking, folder),
      judge: recordedJudge(asking, folder),
      judged: reply => change?.judged(reply),
      signal: link.signal,
    })
  } catch (error) {
    throw replay?.miss() ?? error
  } finally {
    link.clear()
  }
}

function readTrajectory({ trajectory }: Record<string, unknown>): Trajectory {
  return trajectory === 'free' || trajectory === 'none' ? trajectory : 'ideal'
}

function openAgent(asking: RunContext, folder: string): Agent {
  const { benchmark, by, options, change, runtime, replay, redact, wordingText, prompts } = asking
  if (by === 'agent') return benchAgent({ runtime, folder, redact, change, replay })
  const { library, models, settings } = runtime
  return directModel({
    library,
    models,
    redact,
    folder: change?.answers ?? folder,
    frames: benchmark.frames,
    blind: isBlind(asking),
    options: { ...options, wordingText, prompts },
    price: rolePrices(settings).vision,
    settings,
    kept: join(runtime.library.home, 'benchmarks'),
    ...filePolicy(settings.index),
  })
}

// What a judge had said of an answer when a kill came is not paid for again; where its verdict could not be used, it is asked anew.
function recordedJudge({ judge, redact }: RunContext, folder: string): JudgeService | undefined {
  const judgeCallFolder = join(folder, 'calls', 'judge')
  const first = judge?.withChat?.(resumeCalls(judgeCallFolder, redact).model)
  const again = judge?.withChat?.(recordCalls(join(judgeCallFolder, 'again'), redact).model)
  if (!judge || !first || !again) return judge
  return { ...judge, judge: work => (work.before ? again : first).judge(work) }
}
