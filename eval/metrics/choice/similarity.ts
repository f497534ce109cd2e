import { plainWords } from './option-text.ts'

export interface Closest {
  index: number
  similarity: number
  margin: number // ahead of the next
}

// The option whose words are most like the text's (F1 over words, repeats counted); undefined where none shares a word
// or two are equally close.
export function closestOption(text: string, options: readonly string[]): Closest | undefined {
  const said = plainWords(text)
  const ranked = options
    .map((option, index) => ({ index, similarity: wordF1(said, plainWords(option)) }))
    .sort((a, b) => b.similarity - a.similarity)
  const [best, next] = ranked
  const margin = best ? best.similarity - (next?.similarity ?? 0) : 0
  return best && best.similarity > 0 && margin > 0 ? { ...best, margin } : undefined
}

function wordF1(a: readonly string[], b: readonly string[]): number {
  const left = [...b]
  let shared = 0
  for (const word of a) {
    const at = left.indexOf(word)
    if (at < 0) continue
    left.splice(at, 1)
    shared++
  }
  return shared === 0 ? 0 : (2 * shared) / (a.length + b.length)
}
