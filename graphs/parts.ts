import type { AgentState, Budget, Question, Turn, Watch } from '../src/core/agent.ts'
import type { ChatModel } from '../src/core/chat.ts'
import type { PolicySettings } from '../src/core/settings.ts'
import type { Tool, ToolContext } from '../src/core/tool.ts'
import type { VideoIndex } from '../src/core/video.ts'
import type { KeptRun } from './nodes/run-state.ts'

// Of a million tokens, in the currency of the money budget.
export interface Price {
  input: number
  output: number
}

// All that one question needs. The graph opens nothing itself.
export interface InvestigateParts {
  question: Question
  turns?: Turn[]
  index: VideoIndex
  planner: ChatModel
  writer: ChatModel
  verifier: ChatModel
  tools: Tool[]
  context: ToolContext
  budget: Budget
  policy: PolicySettings
  prices?: Partial<Record<'planner' | 'writer' | 'verifier' | 'vision', Price>>
  watch: Watch
  signal: AbortSignal
  from?: AgentState // go on from a state that was written down
  resume?: KeptRun // go on with a run that was stopped, at the node that comes next
  keep?(node: string, state: KeptRun): Promise<void> // is given each state once its node is done
}
