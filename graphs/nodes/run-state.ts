import type { AgentState } from '../../src/core/agent.ts'
import type { Draft } from '../../src/core/brief.ts'
import type { ToolCall } from '../../src/core/chat.ts'

// What travels between the nodes: the agent's state, and what the next node is to do. Plain JSON.
export interface RunState {
  agent: AgentState
  round: number // rounds of tool calls that were run
  calls: ToolCall[]
  hints: string[]
  draft?: Draft
  dropped: string[]
  secondLooks: number
  idle: number // replies without a usable call or a word
  forced: string[] // calls that policies had made: each is made once
  next: 'overview' | 'plan' | 'act' | 'draft' | 'check' | 'answer'
}

// As it is written down: with what the session keeps beside it.
export interface KeptRun extends RunState {
  failures?: string[]
}

export type Change = Partial<RunState>
