import type { AgentState, Budget, Question, Step, Turn, Watch } from '../src/core/agent.ts'
import type { ChatModel, Price, Usage } from '../src/core/chat.ts'
import type { Checkpointer, Checkpoints, Inquiry } from '../src/core/run/checkpoints.ts'
import type { LibrarySearch } from '../src/core/runtime.ts'
import type { AnswerStyle, PolicySettings, SeekSettings, WindowSettings } from '../src/core/settings.ts'
import type { FrameStore } from '../src/core/sight/frame-rows.ts'
import type { Span } from '../src/core/time.ts'
import type { Tool, ToolContext } from '../src/core/tool.ts'
import type { Coverage, SearchQuery, VideoIndex } from '../src/core/video.ts'
import type { Done, RunState, Update } from './state.ts'

// The models of a run and what they are like.
interface GraphModels {
  planner: ChatModel
  writer: ChatModel
  verifier: ChatModel
  rules?: ChatModel // writes if the writer gives no usable answer
  phraser?: ChatModel // too small for more than a sentence over given rows
  prices?: Partial<Record<'planner' | 'writer' | 'verifier' | 'vision', Price>>
  vision?: boolean // a model is there that looks at frames
}

// How a question is to be answered, and what that may cost.
interface AnswerRules {
  budget: Budget
  policy: PolicySettings
  answerStyle?: AnswerStyle // auto where left out
  answerAlways?: boolean // the best inference instead of no answer
  seek?: SeekSettings // the usual ones where left out
  windows?: WindowSettings // likewise
}

// The run around a graph: who stops it, whom it may ask, and how it goes on.
interface RunControl {
  signal: AbortSignal
  recall?(steps: readonly Step[]): void // of a run that is resumed: what its tools keep in memory
  inquires?: boolean // somebody is there to say what a question means and what a tool may do
  strange?: boolean // the states to go on from may be a stranger's: no permission that a person gave in them counts
}

export type ModelRole = 'planner' | 'writer' | 'verifier' | 'rules'

// Whether pictures can be put before the planner.
export function seesPictures({ planner, context }: { planner: ChatModel; context: ToolContext }): boolean {
  return planner.accepts.has('image') && context.jpeg !== undefined
}

// What a graph itself adds to the parts that it is given.
interface GraphExtras {
  frameStore?: FrameStore // of a conversation
  helper?: RunHelper // the same graph as a run of its own inside of a step
  firm?: { run: RunHelper; tools: Tool[] } // `investigate`, for a model that turns out to call no tools
}

// All that a graph works with. It opens nothing itself.
export interface GraphParts extends GraphModels, AnswerRules, RunControl, GraphExtras {
  index: VideoIndex
  span?: Span // of a helper: all of the video that is its own
  tools: Tool[]
  toolsOf?(helper: string): Tool[] // the same tools, whose calls are recorded apart: a helper's index is not that of the run
  context: ToolContext
  library?: LibraryParts // of the graph over all videos
}

// From parts of its own and a state to begin with to the state that it ends with.
export type RunHelper = (parts: GraphParts, begun: Update, watch: Watch) => Promise<RunState>

// What the graph over all videos works with. A video is asked by another graph, as if it were the only one.
export interface LibraryParts {
  k: number // in how many videos it asks at most
  search(query: SearchQuery, watch: Watch, signal: AbortSignal): Promise<LibrarySearch>
  ask(video: string, question: Question, asked: InsideOptions): Promise<{ state: AgentState; coverage: Coverage }>
}

interface InsideOptions {
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
  spent?: Usage // for the question, before it begins
  kept?: RunCheckpoints // where its checkpoints are; what is there already is gone on with
  reply?(inquiry: Inquiry): Promise<unknown> // a person; without one nobody is asked
}

export interface RunCheckpoints {
  checkpoints: Checkpoints | Checkpointer
  thread: string
  older?: Done // how a run of an older version was left
  hint?: string // for the planner, who is then asked next
}
