import type { Question, Step } from '../../src/core/agent.ts'
import type { ToolCall } from '../../src/core/chat.ts'
import type { Route } from './routing.ts'

// A search shows the best few; counting and ordering need all. Where the planner is ready without having listed anything, the
// code lists the video for it.
export function scanBefore(
  route: Route,
  question: Question,
  steps: readonly Step[],
  tools: readonly string[],
): ToolCall[] {
  if (route !== 'count' && route !== 'order') return []
  if (!tools.includes('timeline') || steps.some(step => step.tool === 'timeline')) return []
  const tracks = /\b(beep|sound|noise|hear|music|applause|bell|alarm)/i.test(question.text)
    ? ['sound', 'speech']
    : /\b(slide|sign|screen|written|shown|caption|title)/i.test(question.text)
      ? ['text']
      : /\b(shot|cut|scene)/i.test(question.text)
        ? ['shot']
        : ['speech', 'text', 'picture']
  return [{ id: 'scan', name: 'timeline', arguments: { tracks } }]
}
