import type { AgentState } from '../../src/core/agent.ts'
import type { ToolCall } from '../../src/core/chat.ts'

// A planner that wants to answer without any evidence is made to search for the question first.
export function lookFirst(state: AgentState, tools: readonly string[]): ToolCall[] {
  if (state.evidence.length > 0 || !tools.includes('search')) return []
  if (state.steps.some(step => step.tool === 'search' && step.outcome !== 'refused')) return []
  return [{ id: 'look-first', name: 'search', arguments: { query: state.question.text, k: 8 } }]
}
