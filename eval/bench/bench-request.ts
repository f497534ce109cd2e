import type { ResolvedConfig } from '../../src/config/resolve.ts'
import type { BenchRun } from '../runner/run-files.ts'
import type { AgentChange } from './agent-change.ts'

export type JudgeChoice = 'auto' | 'model' | 'words' | 'off'

// What somebody wants to be run.
export interface BenchRequest {
  benchmark: string
  data: string // absolute, as all paths here
  videos?: string
  split?: string
  limit?: number
  tasks: string[] // none: all that can be asked
  by: 'agent' | 'model' // models.vision alone, with the frames of the protocol
  options: string[] // "name=value"
  judge: JudgeChoice
  wording?: string
  concurrency: number
  out?: string
  resume?: string // the folder of a run
  replay?: string // the folder of a run whose recorded calls stand in for the models
  flags: BenchRun['flags'] // as typed, for the command that goes on with the run
  dryRun?: boolean // only look: nothing is unpacked
  change?: AgentChange // a row of an ablation
}

export interface BenchWorld {
  config: ResolvedConfig
  home: string
  environment: Readonly<Record<string, string | undefined>>
  version: string
  say(line: string): void
  signal: AbortSignal
}
