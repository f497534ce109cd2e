import type { Answer, Sentence } from '../../src/core/agent.ts'
import { formatMoment, formatSpan, overlap, type Span, spanLength, touches } from '../../src/core/time.ts'
import { isNone, optionText } from '../../src/text/option.ts'
import { statedTimes } from '../../src/text/times-in-prose.ts'
import { causeOf } from '../answer/cause.ts'
import { degradedBy } from '../answer/degraded.ts'
import { abstain, lastAnswer } from '../answer/quotes.ts'
import { choiceText } from '../answer/shown-answer.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'
import { strangeTimes } from './stated-times.ts'
import type { Claim, GivenAnswer } from './turn.ts'

const maxShownSpans = 12
const touching = 0.1 // seconds between spans of a claim that are shown as one
const near = 1 // seconds between an interval that is named and what was shown or read
const short = 3 // seconds of a span that is shown to a tenth

// The answer as the model gave it, with the narrowest spans of what it cites. Nothing of it is dropped or replaced.
export async function concludeAnswer(session: AgentSession, state: RunState): Promise<Done> {
  const answer = state.given ? answerOf(session, state) : await quotedAnswer(session, state)
  const stop = state.stop ?? 'answered'
  session.watch({ type: 'answer', answer })
  return { update: { result: answer, stop } }
}

function answerOf(session: AgentSession, state: RunState): Answer {
  const { question, index } = session.parts
  const modelAnswer = state.given ?? { text: '', claims: [], unanswered: [] }
  const options = question.options ?? []
  const choice = options.length > 0 ? (modelAnswer.choice ?? 0) : undefined
  const sentences = modelAnswer.claims.map(
    (claim, i): Sentence => ({
      text: claim.text,
      cites: claim.cites,
      verdict: state.verdicts[i]?.sentence === claim.text ? (state.verdicts[i]?.verdict ?? 'unseen') : 'unseen',
      ...(claim.at.length > 0 && { at: groundedIntervals(session, claim) }),
    }),
  )
  const ungrounded = modelAnswer.claims.flatMap(claim => claim.at.filter(at => !isGrounded(session, at)))
  const times = checkTimes(session, modelAnswer)
  const spans = shownSpans(session, sentences, times.text)
  const doubted = sentences.filter(one => one.verdict === 'contradicted')
  const notes = [
    ...(options.length > 0 && modelAnswer.choice === undefined
      ? ['The model chose no option; the first was taken.']
      : []),
    ...doubted.map(one => `The check found otherwise than: ${one.text}`),
    ...times.notes,
    ...ungrounded.map(
      at => `The interval ${spanText(at)} is of nothing that was shown or read; the cited rows stand for it.`,
    ),
  ]
  const declined = sentences.every(one => one.cites.length === 0) && modelAnswer.unanswered.length > 0
  const abstained =
    choice === undefined
      ? sentences.length === 0 || (declined && !session.parts.answerAlways)
      : isNone(optionText(options[choice] ?? ''))
  const answerText = times.text || `Not answered: ${modelAnswer.unanswered.join('; ')}`
  const lead =
    choice === undefined ? '' : choiceText(options, choice, session.rows(sentences.flatMap(one => one.cites)))
  const statedConfidence = modelAnswer.confidence ?? 0.6
  const unsure = doubted.length > 0 ? 0.5 : sentences.some(one => one.verdict === 'follows') ? 0.85 : 1
  const missing = options.length > 0 && modelAnswer.choice === undefined ? 0.3 : 1
  const stop = state.stop ?? 'answered'
  return {
    text: [lead, withSpans(answerText, spans)].filter(Boolean).join(' '),
    ...(choice === undefined ? {} : { choice }),
    sentences,
    confidence: abstained && choice === undefined ? 0 : Math.round(statedConfidence * unsure * missing * 100) / 100,
    abstained,
    ...(abstained && causeOf(session.parts, stop)),
    degraded: [...degradedBy(index.coverage, stop, session.failures), ...state.notes, ...notes],
    ...(modelAnswer.unanswered.length > 0 ? { unknown: modelAnswer.unanswered } : {}),
  }
}

// What a search by code finds, quoted: the model gave no answer, or could not be asked.
async function quotedAnswer(session: AgentSession, state: RunState): Promise<Answer> {
  const { question, index } = session.parts
  const hits = await index.search({ query: question.text, k: 8 })
  session.learn(hits.map(hit => hit.evidence))
  const ledger = [...session.ledger.values()]
  const quotes = lastAnswer(question.text, ledger)
  const choice = question.options ? 0 : undefined
  const lines = quotes.length > 0 ? quotes : abstain(question.text, ledger, index.coverage)
  const sentences = lines.map((one): Sentence => ({ ...one, verdict: 'unseen' }))
  const lead = choice === undefined ? '' : choiceText(question.options ?? [], choice, [])
  const body = sentences.map(one => withSpans(one.text, shownSpans(session, [one], one.text))).join(' ')
  const guessed = choice === undefined ? [] : ['No model chose an option; the first was taken.']
  return {
    text: [lead, body].filter(Boolean).join(' '),
    ...(choice === undefined ? {} : { choice }),
    sentences,
    confidence: quotes.length > 0 && choice === undefined ? 0.15 : 0,
    abstained: quotes.length === 0 && choice === undefined,
    ...(quotes.length === 0 && choice === undefined && causeOf(session.parts, state.stop ?? 'answered')),
    degraded: [...degradedBy(index.coverage, state.stop ?? 'answered', session.failures), ...state.notes, ...guessed],
  }
}

// Intervals that the model named and that lie beside what was shown or read; else the spans of what it cites.
function groundedIntervals(session: AgentSession, claim: Claim): Span[] {
  const { duration } = session.parts.index.coverage
  const grounded = claim.at
    .filter(at => isGrounded(session, at))
    .map(({ start, end }) => ({
      start: Math.min(start, duration),
      end: Math.min(Math.max(start + 0.1, end), duration),
    }))
  return grounded.length > 0 ? grounded : session.rows(claim.cites).map(row => row.span)
}

function isGrounded(session: AgentSession, { start, end }: Span): boolean {
  if (start > session.parts.index.coverage.duration) return false
  const wide = { start: Math.max(0, start - near), end: end + near }
  return [...session.ledger.values()].some(row => touches(row.span, wide))
}

// The narrowest spans of each claim: one that holds a narrower one is not shown, those that touch are one, and what the text
// states itself is not repeated.
function shownSpans(session: AgentSession, sentences: readonly Sentence[], text: string): Span[] {
  const all = sentences.flatMap(({ cites, at }) => {
    const spans = at ?? session.rows(cites).map(row => row.span)
    return joined(
      spans.filter(span => !spans.some(other => spanLength(other) < spanLength(span) && overlap(other, span) > 0)),
    )
  })
  const stated = statedTimes(text).map(({ seconds }) => seconds)
  const isStated = ({ start, end }: Span) =>
    stated.some(([from = -1, to = -1]) => Math.abs(from - start) < 1 && Math.abs(to - end) <= 1)
  return all.filter(span => !isStated(span)).sort((a, b) => a.start - b.start || a.end - b.end)
}

function joined(spans: readonly Span[]): Span[] {
  const merged: Span[] = []
  for (const span of [...spans].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const before = merged.at(-1)
    if (before && span.start - before.end <= touching) before.end = Math.max(before.end, span.end)
    else merged.push({ ...span })
  }
  return merged
}

function withSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text
  const [, body, mark] = /^([\s\S]*?)(?<![.!?])([.!?]*)$/.exec(text.trim()) ?? []
  const spanTexts = [...new Set(spans.map(spanText))].slice(0, maxShownSpans).join(' ')
  return `${body ?? text} ${spanTexts}${mark || '.'}`
}

// A short one to a tenth, so that it does not read as none.
function spanText(span: Span): string {
  const isWhole = Number.isInteger(span.start) && Number.isInteger(span.end)
  return spanLength(span) < short && !isWhole
    ? `[${formatMoment(span.start)}-${formatMoment(span.end)}]`
    : formatSpan(span)
}

// A time that no row or frame of the run has is reported. The words stay, but for a span in brackets, which would pass for evidence.
function checkTimes(session: AgentSession, given: GivenAnswer): { text: string; notes: string[] } {
  const strange = strangeTimes(session, given)
  let clean = given.text
  for (const stated of [...strange].reverse())
    if (/^[[(]/.test(stated.text)) clean = `${clean.slice(0, stated.start).trimEnd()}${clean.slice(stated.end)}`
  return {
    text: clean,
    notes: strange.map(stated => `The time "${stated.text}" is of no row or frame that was shown.`),
  }
}
