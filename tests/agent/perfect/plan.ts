import type { ChatReply, ChatRequest, ToolCard } from '../../../src/core/chat.ts'
import { mergeSpans, type Span } from '../../../src/core/time.ts'
import { citesOf, said } from './perfect-model.ts'
import { hasOptions } from './request-text.ts'
import { rowsOfClues, shownIn } from './shown.ts'
import type { Truth } from './truth.ts'

const mostCalls = 8 // of one round

// Calls for what the request does not show yet; then the answer, or READY where somebody else writes it.
export function planned(request: ChatRequest, words: string, truth: Truth): ChatReply {
  const calls = missing(request, truth)
  if (calls.length > 0) return called(calls)
  const answer = request.tools?.find(tool => tool.name === 'answer')
  return answer ? called([{ name: 'answer', arguments: answerOf(request, words, truth, answer) }]) : said('READY')
}

// One that was made before brings nothing new.
function missing(request: ChatRequest, truth: Truth): { name: string; arguments: object }[] {
  const made = new Set(request.messages.flatMap(one => (one.role === 'assistant' ? (one.calls ?? []).map(keyOf) : [])))
  const rows = rowsOfClues(truth, shownIn(request))
  const spans = mergeSpans(truth.clues.filter((_, i) => rows[i] === undefined))
  const all = spans.flatMap(span => waysTo(request.tools ?? [], span, truth))
  return all.filter(call => !made.has(keyOf(call))).slice(0, mostCalls)
}

function waysTo(tools: readonly ToolCard[], span: Span, truth: Truth) {
  const { start, end } = { start: Math.max(0, Math.floor(span.start)), end: Math.ceil(span.end) }
  const names =
    truth.needs === 'frames'
      ? { view: { frames: 4, question: truth.question }, look: { question: truth.question } }
      : { read: {}, timeline: {} }
  return Object.entries(names).flatMap(([name, more]) =>
    tools.some(tool => tool.name === name) ? [{ name, arguments: { start, end, ...more } }] : [],
  )
}

function keyOf({ name, arguments: given }: { name: string; arguments: unknown }): string {
  const { start, end } = (given ?? {}) as Partial<Span>
  return `${name} ${start} ${end}`
}

// The arguments of an answer that is a call: its parameters say whether a choice is a number or a letter.
function answerOf(request: ChatRequest, words: string, truth: Truth, { parameters }: ToolCard): object {
  const { properties = {} } = parameters as { properties?: Record<string, { type?: unknown }> }
  const cites = citesOf(request, truth) ?? []
  const choice = hasOptions(words, truth) && 'choice' in properties && truth.right !== undefined
  return {
    claims: truth.clues.length > 0 ? [{ text: truth.answer, cites }] : [],
    text: truth.answer,
    ...(choice && { choice: properties.choice?.type === 'string' ? letter(truth.right) : truth.right }),
    unanswered: [],
    confidence: 0.95,
  }
}

function letter(at = 0): string {
  return String.fromCharCode(65 + at)
}

export function called(calls: readonly { name: string; arguments: object }[]): ChatReply {
  return { ...said(''), calls: calls.map((call, at) => ({ id: `call${at}`, ...call })), stop: 'calls' }
}
