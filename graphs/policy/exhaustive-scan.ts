import type { AgentState, Step } from '../../src/core/agent.ts'
import type { ToolCall } from '../../src/core/chat.ts'
import { type Route, routeOf } from './routing.ts'
import { telling } from './terms.ts'

const whole: Route[] = ['count', 'order', 'summary'] // questions about all of the video
const longestList = 2000
const mostPages = 8

// A search shows the best few; counting, ordering and summing up need all. Where the planner is ready without having listed the whole
// video, the code lists it for it, page after page.
export function exhaustiveScan(state: AgentState, tools: readonly string[], duration: number): ToolCall[] {
  const { question, steps } = state
  const route = routeOf(question.text, question.options)
  if (!whole.includes(route) || !tools.includes('timeline')) return []
  const tracks = route === 'summary' ? ['text', 'speech', 'sound'] : tracksOf(question.text)
  const lists = steps.filter(
    step => step.tool === 'timeline' && step.outcome !== 'refused' && step.outcome !== 'failed',
  )
  const listed = lists.filter(step => coversAll(step, tracks, route === 'summary' ? '' : question.text, duration))
  if (listed.length === 0) return [scan(0, { tracks })]
  const last = listed[listed.length - 1]
  if (!isCut(last) || listed.length >= mostPages) return []
  const rows = new Map(state.evidence.map(row => [row.id, row]))
  const from = rows.get(last.evidence.at(-1) ?? '')?.span.start
  const before = (last.input as ListInput).start ?? 0
  return from === undefined || from <= before
    ? []
    : [scan(listed.length, { ...(last.input as ListInput), start: from })]
}

interface ListInput {
  tracks?: string[]
  start?: number
  end?: number
  about?: string
  limit?: number
}

function scan(page: number, input: ListInput): ToolCall {
  return { id: `scan-${page}`, name: 'timeline', arguments: { limit: longestList, ...input } }
}

function tracksOf(question: string): string[] {
  if (/\b(beep|sound|noise|hear|music|applause|bell|alarm)/i.test(question)) return ['sound', 'speech']
  if (/\b(slide|sign|screen|written|shown|caption|title)/i.test(question)) return ['text']
  if (/\b(shot|cut|scene)/i.test(question)) return ['shot']
  return ['speech', 'text', 'picture']
}

// From the beginning, or from where an earlier page ended; of one of the tracks at least, about what is asked.
function coversAll(step: Step, tracks: readonly string[], question: string, duration: number): boolean {
  const input = step.input as ListInput
  const ofTracks = !input.tracks || input.tracks.some(track => tracks.includes(track))
  const about = input.about === undefined || sharesWord(input.about, question)
  return ofTracks && about && (input.end ?? duration) >= duration - 1 && ((input.start ?? 0) <= 1 || isCut(step))
}

function isCut(step: Step): boolean {
  const { limit } = step.input as ListInput
  return limit !== undefined && step.evidence.length >= limit
}

function sharesWord(about: string, question: string): boolean {
  const asked = new Set(telling(question).map(token => token.stem))
  return telling(about).some(token => asked.has(token.stem))
}
