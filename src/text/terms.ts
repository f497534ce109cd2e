import { byTime, type Evidence } from '../core/evidence.ts'
import { coverage } from './word-similarity.ts'
import { type Token, tellingWords } from './words.ts'

// The words of a text that carry its meaning.
export function contentWords(text: string): Token[] {
  return tellingWords(text).filter(token => !ofQuestions.has(token.stem))
}

// As words to search with; the text itself where it has none.
export function keyWords(text: string): string {
  const words = [...new Set(contentWords(text).map(token => token.text))]
  return words.length > 0 ? words.slice(0, 12).join(' ') : text.slice(0, 120)
}

// The rows that hold most of the words, best first.
export function rowsAbout(
  terms: readonly Token[],
  rows: readonly Evidence[],
  count: number,
  minScore = 0.15,
): Evidence[] {
  return rows
    .filter(row => row.text.trim() !== '')
    .map(row => ({ row, score: coverage(terms, row.text) }))
    .filter(({ score }) => score >= minScore)
    .sort((a, b) => b.score - a.score || byTime(a.row, b.row))
    .slice(0, count)
    .map(({ row }) => row)
}

// Words that a question about any video may hold.
const ofQuestions = new Set(
  'video film clip recording mention say said speaker show shown happen appear follow option answer question time moment'.split(
    ' ',
  ),
)
