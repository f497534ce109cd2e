import type { Answer, Sentence } from '../../src/core/agent.ts'
import { byTime, type Evidence } from '../../src/core/evidence.ts'
import { formatSpan, overlap, type Span } from '../../src/core/time.ts'
import { abstain } from '../policy/abstention.ts'
import { confidenceOf } from '../policy/confidence.ts'
import { degradedBy } from '../policy/degraded.ts'
import { statedTimes } from '../policy/times-in-text.ts'
import type { Session } from '../session.ts'
import type { Change, RunState } from './run-state.ts'

// Puts the answer together: what held, with the times of the rows it cites; never empty.
export async function answer(session: Session, state: RunState): Promise<Change> {
  const { parts } = session
  const draft = state.draft ?? { sentences: [] }
  const verdicts = state.agent.verdicts
  const judged: Sentence[] = draft.sentences.map((sentence, i) => ({
    ...sentence,
    verdict: verdicts[i]?.verdict ?? 'unseen',
  }))
  const unchecked = !parts.policy.verifier || state.agent.stop !== undefined
  const choice = choiceOf(session, draft.choice)
  const kept = judged.filter(
    one => one.verdict === 'supported' || (one.verdict === 'unseen' && unchecked && one.cites.length > 0),
  )
  const intro = draft.abstained ? judged.filter(one => one.cites.length === 0) : []
  const nothing = kept.length === 0 && choice === undefined
  const abstained = draft.abstained === true || nothing
  const sentences: Sentence[] =
    abstained && intro.length === 0 && choice === undefined
      ? abstain(parts.question.text, [...session.ledger.values()], parts.index.coverage).map(one => ({
          ...one,
          verdict: one.cites.length > 0 ? 'supported' : 'unseen',
        }))
      : judged.filter(one => kept.includes(one) || intro.includes(one))
  const stop = state.agent.stop ?? 'answered'
  const lead =
    choice === undefined ? [] : [choiceText(parts.question.options ?? [], choice, rowsOf(session, sentences))]
  const text = [...lead, ...sentences.map(sentence => shown(sentence, session))].join(' ')
  const made: Answer = {
    text,
    ...(choice === undefined ? {} : { choice }),
    sentences,
    confidence: confidenceOf(judged, draft.confidence, abstained, stop),
    abstained: choice === undefined && abstained,
    degraded: degradedBy(parts.index.coverage, stop, session.failures),
  }
  parts.watch({ type: 'answer', answer: made })
  return { agent: session.state(state.agent, { answer: made, stop }), next: 'answer' }
}

// Options given, one is always chosen: an answer left open scores below a guess.
function choiceOf(session: Session, chosen: number | undefined): number | undefined {
  const options = session.parts.question.options ?? []
  if (options.length === 0) return undefined
  return chosen ?? 0
}

function choiceText(options: readonly string[], choice: number, rows: Evidence[]): string {
  const letter = String.fromCharCode(65 + choice)
  const option = options[choice].replace(/^\s*\(?[A-J][).:]\s+/i, '')
  const strange = statedTimes(option).length > 0 && !rows.some(row => row.text.includes(option))
  return strange ? `${letter}.` : `${letter}. ${option.replace(/[.\s]*$/, '')}.`
}

function rowsOf(session: Session, sentences: readonly Sentence[]): Evidence[] {
  return sentences.flatMap(one => one.cites.map(id => session.ledger.get(id)).filter(row => row !== undefined))
}

// The sentence with the spans of its rows: "The room is 204 [0:12-0:15]."
function shown(sentence: Sentence, session: Session): string {
  const rows = rowsOf(session, [sentence])
  if (rows.length === 0) return sentence.text
  const spans = [...new Set(apart(rows).map(formatSpan))].slice(0, 12).join(' ')
  const [, body, mark] = /^([\s\S]*?)([.!?]*)$/.exec(sentence.text.trim()) ?? []
  return `${body} ${spans}${mark || '.'}`
}

// Rows at the same time share a span; two slides that follow one another keep theirs.
function apart(rows: readonly Evidence[]): Span[] {
  const spans: Span[] = []
  for (const { span } of [...rows].sort(byTime)) {
    const before = spans.at(-1)
    if (before && overlap(before, span) > 0) before.end = Math.max(before.end, span.end)
    else spans.push({ ...span })
  }
  return spans
}
