import type { ToolCall } from '../../src/core/chat.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { type Span, spanLength } from '../../src/core/time.ts'
import { isStopWord, tokens } from '../../src/text/words.ts'
import { telling } from './terms.ts'

const margin = 6 // seconds on each side of what was cited
const longest = 40

// Contradicted: the sentence is dropped, and what is true instead is searched for: the words of the question without what the
// sentence claimed of them.
export function searchOpposite(question: string, sentence: string, tools: readonly string[]): ToolCall[] {
  if (!tools.includes('search')) return []
  const asked = telling(question)
  const words =
    asked.length > 0
      ? asked
      : tokens(sentence)
          .filter(token => !isStopWord(token.text))
          .slice(0, 4)
  const query = [...new Set(words.map(token => token.text))].slice(0, 10).join(' ')
  return [{ id: 'opposite', name: 'search', arguments: { query: `${query} not instead`, k: 8 } }]
}

// Unseen: the cited span is looked at once more with the tool that reads its track best, and all around it is listed.
export function lookAgain(
  sentence: string,
  rows: readonly Evidence[],
  tools: readonly string[],
  duration: number,
): ToolCall[] {
  const row = rows[0]
  if (!row) return []
  const { start, end } = widened(row.span, duration)
  const closer: Record<string, ToolCall> = {
    speech: { id: 'again', name: 'transcribe', arguments: { start, end } },
    text: { id: 'again', name: 'read_text', arguments: { start, end } },
    sound: {
      id: 'again',
      name: 'listen',
      arguments: { start, end, question: `Is this borne out: ${sentence.slice(0, 200)}` },
    },
    picture: {
      id: 'again',
      name: 'look',
      arguments: { start, end, question: `What is seen that bears on: ${sentence.slice(0, 200)}` },
    },
  }
  const call = Object.hasOwn(closer, row.track) ? closer[row.track] : undefined
  const around: ToolCall = { id: 'again-around', name: 'timeline', arguments: { start, end } }
  return [...(call ? [call] : []), around].filter(one => tools.includes(one.name))
}

function widened(span: Span, duration: number): Span {
  const start = Math.max(0, span.start - margin)
  const wanted = spanLength(span) > longest ? span.start + longest : span.end + margin
  return { start, end: Math.min(duration, wanted) }
}
