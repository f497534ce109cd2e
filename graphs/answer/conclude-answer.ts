import type { Sentence } from '../../src/core/agent.ts'
import type { Draft } from '../../src/core/brief.ts'
import { formatMoment, formatSpan, overlap, type Span, spanLength, touches } from '../../src/core/time.ts'
import { comesFrom, type StatedTime, statedTimes } from '../../src/text/times-in-prose.ts'
import type { AgentSession } from '../session.ts'
import type { Done, DraftSentence, RunState } from '../state.ts'
import { buildAnswer, type Conclusion, reportAnswer, withSpans } from './build-answer.ts'
import { abstain, lastAnswer } from './quotes.ts'

const touching = 0.1 // seconds between spans of a claim that are shown as one
const near = 1 // seconds between an interval that is named and what was shown or read
const nearTime = 0.5 // likewise of a time in the text
const short = 3 // seconds of a span that is shown to a tenth

// The answer as the model gave it, with the narrowest spans of what it cites. Nothing of it is dropped or replaced.
export async function concludeAnswer(session: AgentSession, state: RunState): Promise<Done> {
  const stop = state.stop ?? session.meter.stopped() ?? 'answered'
  const { written } = state
  const isEmpty = !written?.text && !written?.sentences.length && written?.choice === undefined
  const isOpen = isEmpty && !written?.unknown?.length
  const conclusion =
    written && !isOpen ? asWritten(session, state, written) : await quoted(session, written !== undefined)
  return reportAnswer(session, buildAnswer(session, state, { ...conclusion, stop }), stop)
}

type Concluded = Omit<Conclusion, 'stop'>

function asWritten(session: AgentSession, { verdicts }: RunState, draft: Draft): Concluded {
  const { question, answerAlways } = session.parts
  const { text, unknown = [], cause } = draft
  const hasOptions = (question.options ?? []).length > 0
  const sentences = draft.sentences.map((claim, i): Sentence => {
    const verdict = verdicts[i]?.sentence === claim.text ? verdicts[i].verdict : 'unseen'
    return { text: claim.text, cites: claim.cites, verdict, ...(claim.at && { at: groundedIntervals(session, claim) }) }
  })
  const ungrounded = draft.sentences.flatMap(({ at = [] }) => at.filter(one => !isGrounded(session, one)))
  const times = checkTimes(session, draft)
  const doubted = sentences.filter(one => one.verdict === 'contradicted')
  const isMissing = hasOptions && draft.choice === undefined
  const notes = [
    ...(isMissing ? ['The model chose no option; the first was taken.'] : []),
    ...doubted.map(one => `The check found otherwise than: ${one.text}`),
    ...times.notes,
    ...ungrounded.map(
      at => `The interval ${spanText(at)} is of nothing that was shown or read; the cited rows stand for it.`,
    ),
  ]
  const isOpen = text !== undefined && sentences.every(one => one.cites.length === 0) && unknown.length > 0
  const declines = draft.abstained === true || isOpen
  const abstained = sentences.length === 0 || (declines && !answerAlways)
  const unsure = doubted.length > 0 ? 0.5 : sentences.some(one => one.verdict === 'follows') ? 0.85 : 1
  const confidence = (draft.confidence ?? 0.6) * unsure * (isMissing ? 0.3 : 1)
  const words = times.text || `Not answered: ${unknown.join('; ')}`
  return {
    sentences,
    ...(text !== undefined && { text: withSpans(words, shownSpans(session, sentences, words).map(spanText)) }),
    ...(hasOptions && { choice: draft.choice ?? 0 }),
    confidence: abstained && !hasOptions ? 0 : confidence,
    abstained,
    cause,
    unknown,
    notes,
  }
}

// What a search by code finds, quoted: the model gave no answer, or could not be asked. If it declined, only what comes nearest.
async function quoted(session: AgentSession, declines: boolean): Promise<Concluded> {
  const { question, index } = session.parts
  const hits = await index.search({ query: question.text, k: 8 })
  session.ledger.learn(hits.map(hit => hit.evidence))
  const rows = session.ledger.all()
  const quotes = declines ? [] : lastAnswer(question.text, rows)
  const lines = quotes.length > 0 ? quotes : abstain(question.text, rows, index.coverage)
  return {
    sentences: lines.map((one): Sentence => ({ ...one, verdict: 'unseen' })),
    ...(question.options && { choice: 0, notes: ['No model chose an option; the first was taken.'] }),
    confidence: quotes.length > 0 && !question.options ? 0.15 : 0,
    abstained: quotes.length === 0,
  }
}

// Intervals that the model named and that lie beside what was shown or read; else the spans of what it cites.
function groundedIntervals(session: AgentSession, { at = [], cites }: DraftSentence): Span[] {
  const { duration } = session.parts.index.coverage
  const grounded = at
    .filter(one => isGrounded(session, one))
    .map(({ start, end }) => ({
      start: Math.min(start, duration),
      end: Math.min(Math.max(start + 0.1, end), duration),
    }))
  return grounded.length > 0 ? grounded : session.ledger.rows(cites).map(row => row.span)
}

function isGrounded({ parts, ledger }: AgentSession, { start, end }: Span): boolean {
  if (start > parts.index.coverage.duration) return false
  const wide = { start: Math.max(0, start - near), end: end + near }
  return ledger.all().some(row => touches(row.span, wide))
}

// The narrowest spans of each claim: one that holds a narrower one is not shown, those that touch are one, and what the text
// states itself is not repeated.
function shownSpans({ ledger }: AgentSession, sentences: readonly Sentence[], text: string): Span[] {
  const all = sentences.flatMap(({ cites, at }) => {
    const spans = at ?? ledger.rows(cites).map(row => row.span)
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

// A short one to a tenth, so that it does not read as none.
function spanText(span: Span): string {
  const isWhole = Number.isInteger(span.start) && Number.isInteger(span.end)
  return spanLength(span) < short && !isWhole
    ? `[${formatMoment(span.start)}-${formatMoment(span.end)}]`
    : formatSpan(span)
}

// Times in the text of an answer that lie beside everything that was shown or read, and beside what its claims name.
export function strangeTimes({ ledger }: AgentSession, { text = '', sentences }: Draft): StatedTime[] {
  const rows = ledger.all()
  const spans = [...rows.map(row => row.span), ...sentences.flatMap(({ at = [] }) => at)]
  const isKnown = (second: number) =>
    spans.some(({ start, end }) =>
      touches({ start: second, end: second }, { start: start - nearTime, end: end + nearTime }),
    )
  const isTimecode = ({ start, end }: StatedTime) => text[start - 1] === ':' || /^:\d/.test(text.slice(end))
  return statedTimes(text).filter(
    stated => !isTimecode(stated) && !stated.seconds.every(isKnown) && !comesFrom(stated, rows),
  )
}

// A time that no row or frame of the run has is reported. The words stay, but for a span in brackets, which would pass for evidence.
function checkTimes(session: AgentSession, draft: Draft): { text: string; notes: string[] } {
  const strange = strangeTimes(session, draft)
  let text = draft.text ?? ''
  for (const stated of [...strange].reverse())
    if (/^[[(]/.test(stated.text)) text = `${text.slice(0, stated.start).trimEnd()}${text.slice(stated.end)}`
  return { text, notes: strange.map(stated => `The time "${stated.text}" is of no row or frame that was shown.`) }
}
