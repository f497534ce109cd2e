import type { Question, Sentence } from '../../core/agent.ts'
import type { Evidence } from '../../core/evidence.ts'
import { contentWords } from '../terms.ts'
import { coverage } from '../word-similarity.ts'

const asks = String.raw`(?:who|whom|whose|what|when|where|why|which|how)\b`
const between = new RegExp(
  String.raw`\?\s+(?:and\s+)?|(?:,\s*|;\s*|(?<!\s)\s+)(?:and|as well as|or also)\s+(?=(?:(?:at|in|on|for|by|to|from)\s+)?${asks})|;\s+(?=${asks})`,
  'i',
)

// The parts of a question, each a question of its own; one part where it asks one thing. With options it always asks one thing.
export function splitAspects(question: Question): string[] {
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

// The parts that no sentence which held answers: none holds the words that only this part has.
export function openAspects(
  aspects: readonly string[],
  held: readonly Sentence[],
  rowsOf: (sentence: Sentence) => Evidence[],
): string[] {
  if (aspects.length < 2) return held.length > 0 ? [] : [...aspects]
  return aspects.filter((aspect, i) => {
    const otherStems = aspects.filter((_, at) => at !== i).flatMap(other => contentWords(other).map(term => term.stem))
    const distinctTerms = contentWords(aspect).filter(term => !otherStems.includes(term.stem))
    if (distinctTerms.length === 0) return held.length === 0
    return !held.some(
      one =>
        coverage(
          distinctTerms,
          `${one.text} ${rowsOf(one)
            .map(row => row.text)
            .join(' ')}`,
        ) >= 0.34,
    )
  })
}
