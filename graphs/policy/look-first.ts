import type { AgentState } from '../../src/core/agent.ts'
import type { ToolCall } from '../../src/core/chat.ts'

// A planner that wants to answer without having looked for anything is made to search for the question first.
export function lookFirst(state: AgentState, tools: readonly string[]): ToolCall[] {
  const looked = state.steps.some(step => step.outcome === 'found' || step.outcome === 'nothing')
  if (looked || !tools.includes('search')) return []
  return [{ id: 'look-first', name: 'search', arguments: { query: state.question.text, k: 8 } }]
}
