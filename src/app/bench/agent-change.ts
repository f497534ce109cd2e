import type { Judgment } from '../../../eval/run/line.ts'
import type { AgentState } from '../../core/agent.ts'
import type { Sample } from '../../core/benchmark.ts'
import type { StageReport } from '../../core/runtime.ts'
import type { Video } from '../../core/video.ts'
import type { AskWork } from '../ask.ts'
import type { StageChanges } from '../stage-changes.ts'

// How a row of an ablation differs from the agent as it is set, where settings do not say it.
export interface AgentChange {
  described: unknown // as data: a run is only resumed with the same
  stages: StageChanges
  indexed(video: Video, reports: StageReport[]): Promise<void> // told what the index of a video is made of
  ask(work: AskWork, asked: AskedSample): Promise<AgentState> // in place of the plain agent
  judged(id: string, reply: string): Judgment | undefined // the same reply in an earlier row
  close(): Promise<void>
}

export interface AskedSample {
  key: string // of the question: its calls are kept under it
  sample: Sample
  path: string // of the video
}
