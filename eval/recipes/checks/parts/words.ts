import { contentWords } from '../../../../src/text/terms.ts'
import { isStopWord, tokens } from '../../../../src/text/words.ts'

// Lower-cased runs of letters, digits and underscore, of any script.
export function plainWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
}

export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter(word => b.has(word)).length
  return shared === 0 ? 0 : shared / (a.size + b.size - shared)
}

// Equal for texts that differ in case, blanks, marks, articles, or in writing a number as a word.
export function normaliseText(text: string): string {
  return tokens(text)
    .map(token => token.text)
    .filter(word => !/^(?:an?|the)$/.test(word))
    .join(' ')
}

// Whether the words of a phrase stand one after another; never for a phrase without words.
export function holdsPhrase(text: string, phrase: string): boolean {
  const phraseText = normaliseText(phrase)
  return phraseText !== '' && ` ${normaliseText(text)} `.includes(` ${phraseText} `)
}

// What share of the words that carry meaning stands in the text; 1 if there are none.
export function shareIn(words: readonly string[], text: string): number {
  if (words.length === 0) return 1
  const there = new Set(tokens(text).map(token => token.stem))
  return words.filter(word => there.has(word)).length / words.length
}

export function contentStems(text: string): string[] {
  return [...new Set(contentWords(text).map(token => token.stem))]
}

export function numberWords(text: string): string[] {
  return tokens(text).flatMap(token => (/^\d/.test(token.text) ? [token.text] : []))
}

// Words with a capital that do not open their sentence.
export function capitalisedNames(text: string): string[] {
  const words = [...text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu)]
  return words.flatMap(({ 0: word, index }, at) => {
    const opens = at === 0 || /[.!?]["“”]?$/.test(text.slice(0, index).trimEnd())
    return /^\p{Lu}/u.test(word) && !opens && !isStopWord(word.toLowerCase()) ? [word.toLowerCase()] : []
  })
}

export function isYesNo(text: string): boolean {
  return /^(?:yes|no)$/.test(normaliseText(text))
}

export function wordCount(text: string): number {
  return tokens(text).length
}
