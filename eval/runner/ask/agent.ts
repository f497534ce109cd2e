import type { AgentState, Question, Turn, Watch } from '../../../src/core/agent.ts'
import type { Usage } from '../../../src/core/chat.ts'
import type { Evidence, Track } from '../../../src/core/evidence.ts'
import type { Span } from '../../../src/core/time.ts'
import type { AgentReply } from '../../benchmarks/benchmark.ts'
import type { Sample } from '../../data/sample.ts'
import type { JudgeSight } from '../../protocols/judge/protocol.ts'

// Who is asked. Opening a video indexes what is missing of it; every question then starts from that same index.
export interface Agent {
  open(path: string, options: OpenOptions): Promise<AgentVideo>
}

interface OpenOptions {
  subtitles?: string // a file that the data give for this video
  samples: readonly Sample[] // all that will be asked about it
  watch: Watch
  signal: AbortSignal
}

export interface AgentVideo {
  duration?: number // unknown where nobody looks at it and the data do not say
  index?: string // what the answers rest on: equal for all questions about a video, or they cannot be compared
  ask(question: Question, options: AskOptions): Promise<AskResult>
  sight(): Promise<JudgeSight>
  close(): Promise<void>
}

interface AskOptions {
  key: string // where the calls of this question are kept, and looked up when it is asked again after a kill
  sample: Sample
  ask: string // the name of the ask
  turns: Turn[]
  clues: Span[]
  signal: AbortSignal
}

export interface AskResult extends AgentReply {
  evidence: readonly Evidence[]
  steps: AgentState['steps']
  usage: Usage
  stop: NonNullable<AgentState['stop']>
  frames: { time: number; name: string; row: string; jpeg: Uint8Array }[]
  indexed: { clue: Span; rows: Track[] }[]
}
