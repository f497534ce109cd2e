import type { LocalRuntime } from '../../../src/runtime/runtime.ts'
import type { ReplayedCalls } from '../../../src/store/call-log/replay.ts'
import type { Redact } from '../../../src/store/redact.ts'
import type { Benchmark } from '../../benchmarks/benchmark.ts'
import type { AskedBy } from '../../data/asked-by.ts'
import type { JudgeService } from '../../judges/judge-service.ts'
import type { AgentChange } from '../bench-request.ts'

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
  epoch?: number // from 2 on: which repetition of a run this is
  replay?: ReplayedCalls
}
