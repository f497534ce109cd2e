import type { AgentState, Step } from '../../src/core/agent.ts'
import type { ToolCall } from '../../src/core/chat.ts'
import { formatTime } from '../../src/core/time.ts'
import { type Route, routeOf } from './routing.ts'
import { rowsAbout, telling } from './terms.ts'

const around = 45 // seconds on each side of a hit
const listed: Route[] = ['count', 'order', 'summary'] // answered from a list, not from a search

// A planner that wants to answer without having looked for anything is made to search for the question first; one that only
// searched is made to read what stands around the best hits before it may trust them, and to look where the question is about what is seen.
export function lookBeforeAnswer(state: AgentState, tools: readonly string[], duration: number): ToolCall[] {
  const looked = state.steps.filter(step => step.outcome === 'found' || step.outcome === 'nothing')
  const unsearched = looked.length === 0 || (!looked.some(isAbout) && !listed.includes(routeOf(state.question.text)))
  if (unsearched)
    return tools.includes('search')
      ? [{ id: 'look-first', name: 'search', arguments: { query: state.question.text.slice(0, 500), k: 8 } }]
      : []
  const looks = lookCalls(state, tools, duration)
  if (looks.length > 0) return looks
  if (!tools.includes('timeline') || looked.some(step => step.tool !== 'search')) return []
  return bestHits(state).map(({ start, end }, i) => ({
    id: `look-closer-${i}`,
    name: 'timeline',
    arguments: {
      start: Math.max(0, start - around),
      end: Math.min(duration, end + around),
      tracks: ['speech', 'text', 'sound', 'picture'],
    },
  }))
}

// What is seen is not in the words of the index: a question about it is not answered before frames were looked at.
function lookCalls(state: AgentState, tools: readonly string[], duration: number): ToolCall[] {
  const { question, steps } = state
  if (!tools.includes('look') || steps.some(step => step.tool === 'look') || !aboutLooks.test(question.text)) return []
  return bestHits(state).map(({ start, end }, i) => ({
    id: `look-frames-${i}`,
    name: 'look',
    arguments: {
      start: Math.max(0, start - 2),
      end: Math.min(duration, Math.max(end, start + 4) + 2, start + 58),
      question: question.text.slice(0, 500),
    },
  }))
}

const aboutLooks =
  /\b(colou?rs?|wear(s|ing)?|worn|dressed|shirt|jacket|coat|hat|hair|beard|glasses|looks? like|holds?|holding|gestures?|facial|background|stand(s|ing)|sit(s|ting)|shape|picture shows?)\b/i

// A search, or a closer look at some place; a list from the beginning is not about anything.
function isAbout(step: Step): boolean {
  const { query, about, question } = (step.input ?? {}) as { query?: unknown; about?: unknown; question?: unknown }
  return query !== undefined || about !== undefined || question !== undefined
}

// Two hits at most: those that hold most words of the question, at different moments.
function bestHits(state: AgentState): { start: number; end: number }[] {
  const rows = new Map(state.evidence.map(row => [row.id, row]))
  const hits = state.steps.flatMap(step => step.evidence.flatMap(id => rows.get(id) ?? []))
  const best = rowsAbout(telling(state.question.text), hits, 6, 0)
  const chosen: { start: number; end: number }[] = []
  for (const { span } of best.length > 0 ? best : hits.slice(0, 1))
    if (chosen.length < 2 && chosen.every(one => formatTime(one.start) !== formatTime(span.start))) chosen.push(span)
  return chosen
}
