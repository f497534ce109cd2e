export function letterAt(index: number): string {
  return String.fromCharCode(65 + index)
}

export function letterIndex(letter: string | undefined): number | undefined {
  return letter === undefined ? undefined : letter.trim().toUpperCase().charCodeAt(0) - 65
}

// "A. text", "(A) text" or "A) text" without the letter.
export function withoutLetter(option: string): string {
  return option.replace(/^\s*(?:\([A-Z]\)|[A-Z][.):])\s*/, '')
}

// An answer that is none of the options is as good as none.
export function rightOption(index: number | undefined, options: readonly unknown[] = []): number | undefined {
  return index !== undefined && Number.isInteger(index) && index >= 0 && index < options.length ? index : undefined
}

// The right option by the letter that the data state. Data that withhold the answer state none.
export function readKey(letter: string | undefined, options: readonly unknown[]): { choice?: number; key?: string } {
  return { choice: rightOption(letterIndex(letter), options), key: letter }
}

// Options under their letters, one a line.
export function optionLines(options: readonly string[] = []): string {
  return options.map((option, i) => `${letterAt(i)}. ${option}`).join('\n')
}

// The words of a text without case, marks and punctuation.
function plainWords(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
}

// Index of the only option whose words the text is, or holds; of two options where one holds the other, the longer.
export function optionByText(text: string, options: readonly string[], how: 'equal' | 'contained'): number | undefined {
  const paddedText = ` ${plainWords(text).join(' ')} `
  const matches = options
    .map((option, index) => ({ index, words: ` ${plainWords(option).join(' ')} ` }))
    .filter(({ words }) => words.trim() !== '' && (how === 'equal' ? paddedText === words : paddedText.includes(words)))
  const longest = matches.filter(
    ({ words }) => !matches.some(other => other.words !== words && other.words.includes(words)),
  )
  return longest.length === 1 ? longest[0]?.index : undefined
}

interface Closest {
  index: number
  similarity: number
  margin: number // ahead of the next
}

// The option whose words are most like the text's (F1 over words, repeats counted); undefined if none shares a word
// or two are equally close.
export function closestOption(text: string, options: readonly string[]): Closest | undefined {
  const replyWords = plainWords(text)
  const ranked = options
    .map((option, index) => ({ index, similarity: wordF1(replyWords, plainWords(option)) }))
    .sort((a, b) => b.similarity - a.similarity)
  const [best, next] = ranked
  const margin = best ? best.similarity - (next?.similarity ?? 0) : 0
  return best && best.similarity > 0 && margin > 0 ? { ...best, margin } : undefined
}

function wordF1(a: readonly string[], b: readonly string[]): number {
  const remainingWords = [...b]
  let shared = 0
  for (const word of a) {
    const at = remainingWords.indexOf(word)
    if (at < 0) continue
    remainingWords.splice(at, 1)
    shared++
  }
  return shared === 0 ? 0 : (2 * shared) / (a.length + b.length)
}
