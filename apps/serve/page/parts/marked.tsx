import { visibleText } from '../../../../src/core/words/visible-text.ts'

interface MarkedProps {
  text: string
  terms: readonly string[]
  doubtful?: readonly (readonly [start: number, end: number])[] // in their order
}

// A text with the words that were found in it, and those that were heard with doubt.
export function Marked({ text, terms, doubtful = [] }: MarkedProps) {
  const isMarked = (part: string) =>
    splitAtTerms(visibleText(part), terms).map((word, at) => (at % 2 === 1 ? <mark key={at}>{word}</mark> : word))
  return (
    <bdi dir="auto">
      {splitAtRanges(text, doubtful).map((part, at) =>
        at % 2 === 1 ? (
          <span key={at} class="doubtful" title="heard with doubt">
            {isMarked(part)}
          </span>
        ) : (
          isMarked(part)
        ),
      )}
    </bdi>
  )
}

// Every second part is in a range.
export function splitAtRanges(text: string, ranges: NonNullable<MarkedProps['doubtful']>): string[] {
  const cuts = [0, ...ranges.flat(), text.length]
  return cuts.slice(1).map((end, at) => text.slice(cuts[at], end))
}

// Every second part is one of the words.
export function splitAtTerms(text: string, terms: readonly string[]): string[] {
  const words = terms.filter(term => term !== '').map(term => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (words.length === 0) return [text]
  const longestFirst = words.sort((a, b) => b.length - a.length).join('|')
  return text.split(new RegExp(`(?<![\\p{L}\\p{N}])((?:${longestFirst})\\p{L}*)`, 'giu'))
}
