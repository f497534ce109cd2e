import type { StageChanges } from '../../src/app/index/stage-changes.ts'
import type { Question, Turn } from '../../src/core/agent.ts'
import type { AskOptions, AskReport, CallLog, StageReport } from '../../src/core/runtime.ts'
import type { Video } from '../../src/core/video.ts'
import type { Sample } from '../benchmarks/sample.ts'
import type { Judgment } from '../runner/line.ts'

// How a row of an ablation differs from the agent as it is set, where settings do not say it.
export interface AgentChange {
  described: unknown // as data: a run is only resumed with the same
  stages: StageChanges
  indexed(video: Video, reports: StageReport[]): Promise<void> // told what the index of a video is made of
  ask(asked: Asking, ask: Ask): Promise<AskReport> // asks the agent with what the row changes
  judged(id: string, reply: string): Judgment | undefined // the same reply in an earlier row
  close(): Promise<void>
}

export type Ask = (more?: Pick<AskOptions, 'calls' | 'change'>) => Promise<AskReport>

export interface Asking {
  key: string // of the question: its calls are kept under it
  sample: Sample
  path: string // of the video
  question: Question
  turns: Turn[]
  calls: CallLog
  signal: AbortSignal
}
