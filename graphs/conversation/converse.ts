import type { Draft } from '../../src/core/brief.ts'
import { isFrame, openingWidth } from '../../src/core/sight/frame-rows.ts'
import { pictureWidth } from '../../src/core/sight/room.ts'
import { compactLine, indexLine, isTelling } from '../../src/core/words/index-lines.ts'
import { readAnswer } from '../../src/text/replies/read-answer.ts'
import { contentWords, rowsAbout } from '../../src/text/terms.ts'
import { answerCard, askForCall, askForReply, conversationRules, noMoreTools } from '../prompts/conversation.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'
import { type PlannerConversation, type PlannerReply, pictureTokens, viewedFrames } from './ask.ts'
import { firstMessage, openingRows, shownIndex } from './first-request.ts'
import { conversationLengths } from './lengths.ts'

const sight = {
  width: ({ parts }: AgentSession, frames: number) => pictureWidth(parts.planner.id, frames),
  opening: (session: AgentSession, state: RunState) =>
    openingRows(session, state).map(row => ({ row, width: openingWidth })),
  room: (session: AgentSession, state: RunState) => ({
    tokens: conversationLengths(session.parts.planner).room - wordTokens(session, state),
  }),
}

// The conversation of the graph converse: the index and frames first, few tools, and the answer by a call.
export const converse: PlannerConversation = {
  tell: (session, state) => ({
    rules: conversationRules(session.fit.sees),
    opening: firstMessage(session, state),
    shown: shownIds(session),
    line: row => (isFrame(row) || !isTelling(row) ? '' : compactLine({ track: row.track, line: indexLine(row) })),
    characters: calls => (conversationLengths(session.parts.planner).resultCharacters * session.fit.share) / calls,
  }),
  before: budgetLine,
  lastWord: noMoreTools,
  end({ meter }, { round }) {
    const stop = meter.over(round)
    return stop && stop !== 'frames' ? { stop } : undefined // words can still be found and read
  },
  answerCard,
  tools: 'tools',
  conclude,
  sight,
}

// An answer in other words than by the call is asked for in form once and taken then, if it cites rows or rows hold its words. A model
// that calls no tool even then and answers nothing goes on with `investigate`, which asks less of it.
function conclude(session: AgentSession, state: RunState, { text, calls, isLast }: PlannerReply): Done {
  const { question, planner } = session.parts
  const { options = [] } = question
  const call = calls.find(one => one.name === answerCard.name)
  const called = call && readAnswer(call.arguments, options)
  const isAsked = state.messages.some(one => one.by === 'code' && ['form', 'silence', 'doubt'].includes(one.about))
  const isFinal = isAsked || isLast
  if (called && (isFinal || options.length === 0 || called.choice !== undefined))
    return { goto: 'check', update: { written: called } }
  if (!isFinal) {
    const [about, ask] =
      text || call ? (['form', askForCall(options.length > 0)] as const) : (['silence', askForReply] as const)
    const written = called ?? (text ? readAnswer(text, options) : undefined)
    return { goto: 'model', update: { messages: [{ by: 'code', about, text: ask }], ...(written && { written }) } }
  }
  const prose = (text ? readAnswer(text, options) : undefined) ?? state.written
  const isDoubted = state.messages.some(one => one.by === 'code' && one.about === 'doubt')
  const written = prose && (isDoubted ? prose : groundedProse(session, prose))
  if (written || isLast) return { goto: 'check', update: { written: written ?? prose } }
  const why = text
    ? `replied only in prose ("${text.replace(/\s+/g, ' ').slice(0, 100)}")`
    : 'gave no answer that can be read'
  const note = `${planner.id} called no tool and ${why}; the graph for such models, investigate, went on.`
  session.watch({ type: 'note', text: note })
  return { goto: 'firm', update: { notes: [note] } }
}

const refusal =
  /\b(?:(?:no|not|without|lack)\b.{0,40}\b(?:access|tools?|functions?)|(?:cannot|can['’]t|unable to)\b.{0,40}\b(?:see|view|watch|access|call|use|open|process|analy[sz]e))\b/i

// Prose that cites nothing rests on the rows that hold its words, or on frames if any were shown. Undefined if it answers nothing.
function groundedProse({ ledger, fit }: AgentSession, draft: Draft): Draft | undefined {
  if (draft.sentences.some(one => one.cites.some(id => ledger.has(id)))) return draft
  const rows = ledger.all().filter(row => !isFrame(row))
  const sentences = draft.sentences.map(one => ({
    ...one,
    cites: rowsAbout(contentWords(one.text), rows, 2, 0.6).map(row => row.id),
  }))
  const isFound = sentences.some(one => one.cites.length > 0)
  const mayBeSeen = fit.sees && ledger.all().some(isFrame) && !refusal.test(draft.text ?? '')
  return isFound || mayBeSeen || draft.choice !== undefined ? { ...draft, sentences } : undefined
}

// Each row that stands in the first request, by the id of its line.
function shownIds(session: AgentSession): Map<string, string> {
  return new Map(shownIndex(session).lines.flatMap(({ id, ids }) => ids.map(one => [one, id] as const)))
}

// Of the words of the conversation, about.
function wordTokens(session: AgentSession, state: RunState): number {
  const opening = firstMessage(session, state).map(part => (part.type === 'text' ? part.text : ''))
  const messageTexts = state.messages.map(one => one.text)
  const most = conversationLengths(session.parts.planner).resultCharacters
  const resultTexts = state.steps.map(({ evidence, text = '' }) => {
    const rows = session.ledger.rows(evidence).filter(row => !isFrame(row))
    return `${text}${rows.map(indexLine).join('').slice(0, most)}`
  })
  return [...opening, ...messageTexts, ...resultTexts].join('').length / 4
}

function budgetLine(session: AgentSession, state: RunState): string {
  const { meter, fit, parts } = session
  const { budget, planner } = parts
  const spent = meter.usage()
  const rounds = Math.max(0, budget.steps - state.round)
  const frames = Math.max(0, budget.frames - spent.frames)
  const tokens = Math.max(0, budget.tokens - spent.inputTokens - spent.outputTokens)
  const views = viewedFrames(session, state, sight).slice(fit.picturesGone)
  const used = pictureTokens(session, [...sight.opening(session, state), ...views]) + wordTokens(session, state)
  const leaving =
    views.length > 0 && used > 0.8 * conversationLengths(planner).room
      ? ' The pictures of the oldest view leave this conversation next: write down what matters in them.'
      : ''
  return `Left: ${rounds} rounds of tools, ${fit.sees ? `${frames} frames, ` : ''}${Math.round(tokens / 1000)}k tokens.${leaving}`
}
