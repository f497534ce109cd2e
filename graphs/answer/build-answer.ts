import type { Answer, Cause, Sentence, StopReason } from '../../src/core/agent.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { formatSpan, overlap, type Span, spanLength } from '../../src/core/time.ts'
import { isNone, optionText } from '../../src/text/option.ts'
import { statedTimes } from '../../src/text/times-in-prose.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'
import { findCause, isIllegible } from './cause.ts'
import { degradedBy } from './degraded.ts'

// What a graph came to.
export interface Conclusion {
  sentences: Sentence[]
  text?: string // the words with their spans; else those of each sentence
  choice?: number
  confidence: number
  abstained: boolean
  cause?: Cause // as the writer says it
  unknown?: string[]
  missing?: string // the sentence that names what is unknown
  notes?: string[] // what the answer must say of itself
  why?: Pick<Answer, 'cause' | 'mend'> // there is no answer, found by whoever composes it; else it is found here
  degraded?: string[] // likewise
  stop: StopReason
}

// The answer as it is reported: with the chosen option first, why there is none, and what it could not rest on.
export function buildAnswer(session: AgentSession, state: RunState, made: Conclusion): Answer {
  const { parts, ledger, failures } = session
  const { sentences, choice, stop, confidence, unknown = [], notes = [] } = made
  const { options = [] } = parts.question
  const isOpen = choice === undefined
  const spoken = [made.text, ...unknown, ...sentences.map(one => (one.cites.length > 0 ? '' : one.text))].join(' ')
  const abstained = isOpen ? made.abstained : isNone(optionText(options[choice] ?? '')) || made.cause !== undefined
  // A model that looked and could not read it has not found that it is absent.
  const stated = made.cause ?? (isIllegible(spoken) ? 'unreadable' : undefined)
  const why = abstained ? (made.why ?? findCause(parts, stop, stated)) : undefined
  const rows = ledger.rows(sentences.flatMap(one => one.cites))
  const lead = isOpen ? '' : choiceText(options, choice, rows)
  const text = made.text ?? sentences.map(one => sentenceText(one, session)).join(' ')
  const degraded = made.degraded ?? degradedBy(parts.index.coverage, stop, failures)
  return {
    text: [lead, text, made.missing].filter(Boolean).join(' '),
    ...(!isOpen && { choice }),
    sentences,
    // How sure it is that the video does not say; of a question that nobody could look into nothing is sure.
    confidence: why && why.cause !== 'absent' && isOpen ? 0 : toHundredths(confidence),
    abstained,
    ...why,
    degraded: [...degraded, ...state.notes, ...notes],
    ...(unknown.length > 0 && { unknown }),
  }
}

export function reportAnswer(session: AgentSession, answer: Answer, stop: StopReason): Done {
  session.watch({ type: 'answer', answer })
  return { update: { result: answer, stop } }
}

export function toHundredths(confidence: number): number {
  return Math.round(Math.min(1, Math.max(0, confidence)) * 100) / 100
}

// The writer's own confidence, lowered by what the check did not bear out and by a search that was cut off.
export function computeConfidence(
  sentences: readonly Sentence[],
  stated: number | undefined,
  abstained: boolean,
  stop: StopReason,
): number {
  const cited = sentences.filter(sentence => sentence.cites.length > 0)
  const worth = { supported: 1, follows: 0.75, contradicted: 0, unseen: 0 }
  const heldWorth = cited.reduce((sum, { verdict }) => sum + worth[verdict], 0)
  const share = cited.length > 0 ? heldWorth / cited.length : abstained ? 1 : 0.3
  const cut = stop === 'answered' || stop === 'steps' ? 1 : 0.7
  return toHundredths((stated ?? 0.5) * (0.4 + 0.6 * share) * cut)
}

// The letter and the words of the chosen option.
function choiceText(options: readonly string[], choice: number, rows: readonly Evidence[]): string {
  const letter = String.fromCharCode(65 + choice)
  const option = optionText(options[choice] ?? '')
  const strange = statedTimes(option).length > 0 && !rows.some(row => row.text.includes(option))
  return strange ? `${letter}.` : `${letter}. ${option.replace(/(?<![.\s])[.\s]*$/, '')}.`
}

const maxShownSpans = 12

// The sentence with the spans of its rows: "The room is 204 [0:12-0:15]."
// What is inferred says so, except where an inference was demanded.
export function sentenceText({ text, cites, verdict }: Sentence, { ledger, parts }: AgentSession): string {
  const hedge = verdict === 'follows' && parts.answerAlways !== true && !hedged.test(text) ? ' (inferred)' : ''
  return withSpans(text, narrowest(ledger.rows(cites)).map(formatSpan), hedge)
}

const hedged = /\b(likely|probabl[ey]|perhaps|may|might|seems?|appears?|suggests?|presumably|apparently|possibly)\b/i

export function withSpans(text: string, spans: readonly string[], hedge = ''): string {
  if (spans.length === 0) return text
  const [, body = text, mark] = /^([\s\S]*?)(?<![.!?])([.!?]*)$/.exec(text.trim()) ?? []
  return `${body}${hedge} ${[...new Set(spans)].slice(0, maxShownSpans).join(' ')}${mark || '.'}`
}

// The narrowest spans: one that holds most of a narrower one adds nothing. In the order of the video.
function narrowest(rows: readonly Pick<Evidence, 'span'>[]): Span[] {
  const narrowSpans: Span[] = []
  for (const { span } of [...rows].sort((a, b) => spanLength(a.span) - spanLength(b.span)))
    if (narrowSpans.every(narrow => overlap(narrow, span) <= spanLength(narrow) / 2)) narrowSpans.push(span)
  return narrowSpans.sort((a, b) => a.start - b.start || a.end - b.end)
}
