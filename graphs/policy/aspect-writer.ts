import type { Question, Sentence, Step } from '../../src/core/agent.ts'
import type { ToolCall } from '../../src/core/chat.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { coverage } from '../../src/text/alike.ts'
import { tokens } from '../../src/text/words.ts'
import { keyWords, telling } from './terms.ts'

const asks = String.raw`(?:who|whom|whose|what|when|where|why|which|how)\b`
const between = new RegExp(
  String.raw`\?\s+(?:and\s+)?|(?:,\s*|;\s*|\s+)(?:and|as well as|or also)\s+(?=(?:(?:at|in|on|for|by|to|from)\s+)?${asks})|;\s+(?=${asks})`,
  'i',
)

// The parts of a question, each a question of its own; one part where it asks one thing. With options it always asks one thing.
export function aspectsOf(question: Question): string[] {
  if (question.options && question.options.length > 0) return [question.text]
  const parts = question.text
    .split(between)
    .map(part => part.trim().replace(/(?<![?.\s])[?.\s]+$/, ''))
    .filter(part => part !== '')
  const each = parts.every(
    part =>
      new RegExp(asks, 'i').test(part) ||
      /^(is|are|was|were|do|does|did|has|have|can|list|name|describe|summari[sz]e|count)\b/i.test(part),
  )
  return parts.length > 1 && parts.length <= 6 && each ? parts.map(part => `${part}?`) : [question.text]
}

// A search for each part that no call looked for.
export function aspectCalls(aspects: readonly string[], steps: readonly Step[], tools: readonly string[]): ToolCall[] {
  if (aspects.length < 2 || !tools.includes('search')) return []
  const asked = steps.map(step => JSON.stringify(step.input ?? '').slice(0, 2000))
  return aspects.flatMap((aspect, i) => {
    const query = keyWords(aspect)
    if (asked.some(input => coverage(tokens(query), input) >= 0.9 && !holdsOthers(input, aspects, i))) return []
    return [{ id: `aspect-${i}`, name: 'search', arguments: { query, k: 6 } }]
  })
}

// The parts that no sentence which held answers: none holds the words that only this part has.
export function openAspects(
  aspects: readonly string[],
  held: readonly Sentence[],
  rowsOf: (sentence: Sentence) => Evidence[],
): string[] {
  if (aspects.length < 2) return held.length > 0 ? [] : [...aspects]
  return aspects.filter((aspect, i) => {
    const others = aspects.filter((_, at) => at !== i).flatMap(other => telling(other).map(term => term.stem))
    const own = telling(aspect).filter(term => !others.includes(term.stem))
    if (own.length === 0) return held.length === 0
    return !held.some(
      one =>
        coverage(
          own,
          `${one.text} ${rowsOf(one)
            .map(row => row.text)
            .join(' ')}`,
        ) >= 0.34,
    )
  })
}

// A call for the whole question found rows for the loudest of its parts, not for each.
function holdsOthers(input: string, aspects: readonly string[], at: number): boolean {
  return aspects.some((other, i) => i !== at && coverage(telling(other), input) >= 0.9)
}
