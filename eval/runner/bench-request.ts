import type { Question, Turn } from '../../src/core/agent.ts'
import type { AskOptions, AskReport, CallLog, StageReport } from '../../src/core/runtime.ts'
import type { Video } from '../../src/core/video.ts'
import type { StageChanges } from '../../src/runtime/index/plan-stages.ts'
import type { RecordMap } from '../benchmarks/map/record-map.ts'
import type { AskedBy } from '../data/asked-by.ts'
import type { Sample } from '../data/sample.ts'
import type { Judgment } from '../data/sample-line.ts'
import type { JudgeChoice, JudgeMode } from '../protocols/judge/protocol.ts'
import type { ReplyToJudge } from './ask/process-samples.ts'
import type { BenchRun } from './files/run-files.ts'
import type { RowSpec } from './run-spec.ts'

// A request for a benchmark run.
export interface BenchRequest extends DataRequest, JudgingRequest {
  by: AskedBy
  options: string[] // "name=value"
  concurrency: number
  epochs?: number // how often every question is asked
  epoch?: number // from 2 on: which of them this run is
  out?: string
  resume?: string // the folder of a run
  replay?: string // the folder of a run whose recorded calls stand in for the models
  flags: BenchRun['flags'] // as typed, for the command that goes on with the run
  dryRun?: boolean // only look: nothing is unpacked
  copies?: Record<string, string> // content ids of the videos, by their names: they are found by them
  change?: AgentChange // a row of an ablation
}

// Which questions are asked, of which data.
interface DataRequest {
  benchmark: string
  data: string // absolute, as all paths here
  videos?: string
  split?: string
  map?: RecordMap // by which the data are read, where they have another layout
  limit?: number
  tasks: string[] // none: all that can be asked
}

// Who judges open answers, and how.
interface JudgingRequest {
  judge: JudgeChoice
  judgeMode?: JudgeMode // left out: that of the benchmark
  wording?: string
}

// How a row of an ablation differs from the agent as it is set, where settings do not say it.
export interface AgentChange {
  described: unknown // as data: a run is only resumed with the same
  answers?: string // folder of a row that was asked the same: its recorded replies of a model alone are taken
  sent?: RowSpec // for other machines, where they can ask with it
  stages: StageChanges
  indexed(video: Video, reports: StageReport[]): Promise<void> // called with what the index of a video is made of
  ask(asked: AskedSample, ask: AskAgent): Promise<AskReport> // asks the agent with what the row changes
  judged(reply: ReplyToJudge): Judgment | undefined // the same reply in an earlier row
  close(): Promise<void>
}

export type AskAgent = (more?: Pick<AskOptions, 'calls' | 'change'>) => Promise<AskReport>

export interface AskedSample {
  key: string // of the question: its calls are kept under it
  sample: Sample
  path: string // of the video
  question: Question
  turns: Turn[]
  calls: CallLog
  signal: AbortSignal
}
