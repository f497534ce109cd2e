import { visibleText } from '../../../../src/core/words/visible-text.ts'

// A text with the words that were found in it.
export function Marked({ text, terms }: { text: string; terms: readonly string[] }) {
  return (
    <bdi dir="auto">
      {splitAtTerms(visibleText(text), terms).map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part))}
    </bdi>
  )
}

// Every second part is one of the words.
export function splitAtTerms(text: string, terms: readonly string[]): string[] {
  const words = terms.filter(term => term !== '').map(term => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (words.length === 0) return [text]
  const longestFirst = words.sort((a, b) => b.length - a.length).join('|')
  return text.split(new RegExp(`(?<![\\p{L}\\p{N}])((?:${longestFirst})\\p{L}*)`, 'giu'))
}
