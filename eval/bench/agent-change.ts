import type { AskWork } from '../../src/app/ask/ask.ts'
import type { StageChanges } from '../../src/app/index/stage-changes.ts'
import type { AgentState } from '../../src/core/agent.ts'
import type { StageReport } from '../../src/core/runtime.ts'
import type { Video } from '../../src/core/video.ts'
import type { Sample } from '../benchmarks/sample.ts'
import type { Judgment } from '../runner/line.ts'

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
