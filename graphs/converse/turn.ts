import type { ToolCall } from '../../src/core/chat.ts'

// One reply of the model with what the code said before and after it. Kept as it was: the conversation only grows.
export interface ModelTurn {
  before: string // what is left of the budget, as the model read it
  text: string
  calls: ToolCall[]
  round?: number // of the steps that its calls became
  response?: string // of the code: to an answer that was doubted, or that came without the call
}

// A claim of an answer with the rows and, if the model named them, the intervals that it rests on.
export interface Claim {
  text: string
  cites: string[]
  at: { start: number; end: number }[]
}

// An answer as the model gave it.
export interface GivenAnswer {
  text: string
  claims: Claim[]
  choice?: number
  confidence?: number
  unanswered: string[]
}
