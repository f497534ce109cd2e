import type { Sentence } from '../../src/core/agent.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { formatSpan, overlap, type Span, spanLength } from '../../src/core/time.ts'
import { optionText } from '../../src/text/option.ts'
import { statedTimes } from '../../src/text/times-in-prose.ts'
import type { AgentSession } from '../session.ts'

// The letter and the words of the chosen option.
export function choiceText(options: readonly string[], choice: number, rows: Evidence[]): string {
  const letter = String.fromCharCode(65 + choice)
  const option = optionText(options[choice] ?? '')
  const strange = statedTimes(option).length > 0 && !rows.some(row => row.text.includes(option))
  return strange ? `${letter}.` : `${letter}. ${option.replace(/(?<![.\s])[.\s]*$/, '')}.`
}

export function rowsOf(session: AgentSession, sentences: readonly Sentence[]): Evidence[] {
  return sentences.flatMap(one => one.cites.map(id => session.ledger.get(id)).filter(row => row !== undefined))
}

// The sentence with the spans of its rows: "The room is 204 [0:12-0:15]."
// What is inferred says so, except where an inference was demanded.
export function sentenceText(sentence: Sentence, session: AgentSession, always = false): string {
  const rows = rowsOf(session, [sentence])
  if (rows.length === 0) return sentence.text
  const spans = [...new Set(narrowest(rows).map(formatSpan))].slice(0, 12).join(' ')
  const [, body, mark] = /^([\s\S]*?)(?<![.!?])([.!?]*)$/.exec(sentence.text.trim()) ?? []
  const hedge = sentence.verdict === 'follows' && !always && !hedged.test(sentence.text) ? ' (inferred)' : ''
  return `${body}${hedge} ${spans}${mark || '.'}`
}

const hedged = /\b(likely|probabl[ey]|perhaps|may|might|seems?|appears?|suggests?|presumably|apparently|possibly)\b/i

// The narrowest spans: one that holds most of a narrower one adds nothing. In the order of the video.
export function narrowest(rows: readonly Pick<Evidence, 'span'>[]): Span[] {
  const narrowSpans: Span[] = []
  for (const { span } of [...rows].sort((a, b) => spanLength(a.span) - spanLength(b.span)))
    if (narrowSpans.every(narrow => overlap(narrow, span) <= spanLength(narrow) / 2)) narrowSpans.push(span)
  return narrowSpans.sort((a, b) => a.start - b.start || a.end - b.end)
}
