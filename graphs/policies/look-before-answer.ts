import type { Step } from '../../src/core/agent.ts'
import { buildCalls, findKind } from '../../src/core/calls/kinds.ts'
import type { ToolCall } from '../../src/core/chat.ts'
import { formatTime } from '../../src/core/time.ts'
import { chooseRoute, type QuestionRoute } from '../../src/text/question/route.ts'
import { contentWords, rowsAbout } from '../../src/text/terms.ts'
import type { AgentSession, Policy } from '../session.ts'
import type { RunState } from '../state.ts'

const around = 45 // seconds on each side of a hit
const listed: QuestionRoute[] = ['count', 'order', 'summary'] // answered from a list, not from a search

// Who did not search is made to; who only searched is made to read 45 s around the two best hits. A question about what is
// seen is not answered before frames of them were looked at.
export default {
  calls(session, state) {
    const { question, tools, index } = session.parts
    const looked = state.steps.filter(step => step.outcome === 'found' || step.outcome === 'nothing')
    if (looked.length === 0 || (!looked.some(isAbout) && !listed.includes(chooseRoute(question.text))))
      return buildCalls(tools, 'search', 'look-first', { query: question.text.slice(0, 500), k: 8 })
    const looks = lookCalls(session, state)
    if (looks.length > 0) return looks
    if (looked.some(step => findKind(session.parts.tools, step.tool) !== 'search')) return []
    return bestHits(session, state).flatMap(({ start, end }, i) =>
      buildCalls(tools, 'list', `look-closer-${i}`, {
        start: Math.max(0, start - around),
        end: Math.min(index.coverage.duration, end + around),
        tracks: ['speech', 'text', 'sound', 'picture'],
      }),
    )
  },
} satisfies Policy

// What is seen is not in the words of the index: a question about it is not answered before frames were looked at.
function lookCalls(session: AgentSession, state: RunState): ToolCall[] {
  const { question, tools, index } = session.parts
  if (state.steps.some(step => findKind(session.parts.tools, step.tool) === 'look') || !aboutLooks.test(question.text))
    return []
  return bestHits(session, state).flatMap(({ start, end }, i) =>
    buildCalls(tools, 'look', `look-frames-${i}`, {
      start: Math.max(0, start - 2),
      end: Math.min(index.coverage.duration, Math.max(end, start + 4) + 2, start + 58),
      question: question.text.slice(0, 500),
    }),
  )
}

const aboutLooks =
  /\b(colou?rs?|wear(s|ing)?|worn|dressed|shirt|jacket|coat|hat|hair|beard|glasses|looks? like|holds?|holding|gestures?|facial|background|stand(s|ing)|sit(s|ting)|shape|picture shows?)\b/i

// A search, or a closer look at some place; a list from the beginning is not about anything.
function isAbout(step: Step): boolean {
  const { query, about, question } = (step.input ?? {}) as { query?: unknown; about?: unknown; question?: unknown }
  return query !== undefined || about !== undefined || question !== undefined
}

// Two hits at most: those that hold most words of the question, at different moments.
function bestHits({ parts, ledger }: AgentSession, { steps }: RunState): { start: number; end: number }[] {
  const hits = steps.flatMap(step => step.evidence.flatMap(id => ledger.get(id) ?? []))
  const best = rowsAbout(contentWords(parts.question.text), hits, 6, 0)
  const chosen: { start: number; end: number }[] = []
  for (const { span } of best.length > 0 ? best : hits.slice(0, 1))
    if (chosen.length < 2 && chosen.every(one => formatTime(one.start) !== formatTime(span.start))) chosen.push(span)
  return chosen
}
