import type { AgentState, Budget, Question, Step, Turn, Watch } from '../src/core/agent.ts'
import type { ChatModel, Price } from '../src/core/chat.ts'
import type { Checkpointer, Checkpoints, Inquiry } from '../src/core/run/checkpoints.ts'
import type { LibrarySearch } from '../src/core/runtime.ts'
import type { PolicySettings } from '../src/core/settings.ts'
import type { Tool, ToolContext } from '../src/core/tool.ts'
import type { Coverage, SearchQuery, VideoIndex } from '../src/core/video.ts'
import type { Done, RunState } from './state.ts'

// All that a graph works with. It opens nothing itself.
export interface GraphParts {
  index: VideoIndex
  planner: ChatModel
  writer: ChatModel
  verifier: ChatModel
  tools: Tool[]
  context: ToolContext
  budget: Budget
  policy: PolicySettings
  prices?: Partial<Record<'planner' | 'writer' | 'verifier' | 'vision', Price>>
  vision?: boolean // a model is there that looks at frames
  simulated?: { by: string; note: string } // it is none: said where rows are by it
  signal: AbortSignal
  recall?(steps: readonly Step[]): void // of a run that goes on: what its tools keep in memory
  library?: LibraryParts // of the graph over all videos
  inquires?: boolean // somebody is there to say what a question means and what a tool may do
}

// What the graph over all videos works with. A video is asked by another graph, as one would ask it alone.
export interface LibraryParts {
  k: number // in how many videos it asks at most
  search(query: SearchQuery, watch: Watch, signal: AbortSignal): Promise<LibrarySearch>
  ask(video: string, question: Question, asked: InsideOptions): Promise<{ state: AgentState; coverage: Coverage }>
}

export interface InsideOptions {
  budget: Budget
  watch: Watch
  signal: AbortSignal
}

// One question to a graph.
export interface GraphInput extends GraphParts {
  question: Question
  turns?: Turn[]
  watch: Watch
  from?: AgentState // go on from a state that was written down
  permits?: RunState['permits'] // that a person gave when the run was recorded
  kept?: Kept // where its checkpoints are; what is there already is gone on with
  reply?(inquiry: Inquiry): Promise<unknown> // a person; without one nobody is asked
}

export interface Kept {
  checkpoints: Checkpoints | Checkpointer
  thread: string
  older?: Done // how a run of an older version was left
  hint?: string // for the planner, who is then asked next
}
