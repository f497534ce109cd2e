import type { Step } from '../../src/core/agent.ts'
import { buildCalls, findKind } from '../../src/core/calls/kinds.ts'
import type { ToolCall } from '../../src/core/chat.ts'
import type { Track } from '../../src/core/evidence.ts'
import { chooseRoute, type QuestionRoute } from '../../src/text/question/route.ts'
import { contentWords } from '../../src/text/terms.ts'
import { statedTimes } from '../../src/text/times-in-prose.ts'
import type { AgentSession, Policy } from '../session.ts'

const whole: QuestionRoute[] = ['count', 'order', 'summary'] // questions about all of the video
const longestList = 2000
const mostPages = 8

// A search shows the best few; counts, orders and summaries need all. Where the planner is ready without having listed the
// whole video, the code lists it, page after page; a list of a part does not count as one. Not where the question names a moment,
// nor where no row of these tracks is there.
export default {
  calls(session, { steps }) {
    const { question, index } = session.parts
    const { duration } = index.coverage
    const route = chooseRoute(question.text, question.options)
    if (!whole.includes(route) || statedTimes(question.text).length > 0) return []
    const routeTracks: Track[] =
      route === 'summary' ? ['text', 'speech', 'sound', 'caption'] : chooseTracks(question.text)
    const tracks = routeTracks.filter(track => index.evidence({ tracks: [track] }).length > 0)
    if (tracks.length === 0) return []
    const lists = steps.filter(
      step =>
        findKind(session.parts.tools, step.tool) === 'list' && step.outcome !== 'refused' && step.outcome !== 'failed',
    )
    const listed = lists.filter(step => coversAll(step, tracks, route === 'summary' ? '' : question.text, duration))
    const last = listed.at(-1)
    if (!last) return scan(session, 0, { tracks })
    if (!isCut(last) || listed.length >= mostPages) return []
    const from = session.ledger.get(last.evidence.at(-1) ?? '')?.span.start
    const before = (last.input as ListInput).start ?? 0
    return from === undefined || from <= before
      ? []
      : scan(session, listed.length, { ...(last.input as ListInput), start: from })
  },
} satisfies Policy

interface ListInput {
  tracks?: Track[]
  start?: number
  end?: number
  about?: string
  limit?: number
}

function scan({ parts }: AgentSession, page: number, input: ListInput): ToolCall[] {
  return buildCalls(parts.tools, 'list', `scan-${page}`, { limit: longestList, ...input })
}

function chooseTracks(question: string): Track[] {
  if (/\b(beep|sound|noise|hear|music|applause|bell|alarm)/i.test(question)) return ['sound', 'speech']
  if (/\b(slide|sign|screen|written|shown|caption|title)/i.test(question)) return ['text', 'caption']
  if (/\b(shot|cut|scene)/i.test(question)) return ['shot', 'caption']
  return ['speech', 'text', 'caption']
}

// From the beginning, or from where an earlier page ended; of one of the tracks at least, about what is asked.
function coversAll(step: Step, tracks: readonly Track[], question: string, duration: number): boolean {
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
  const questionStems = new Set(contentWords(question).map(token => token.stem))
  return contentWords(about).some(token => questionStems.has(token.stem))
}
