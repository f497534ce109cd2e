import type { SourceRow } from '../item.ts'

const minSeconds = 3

// Text that stands: shown three seconds and more, and not the beginning, the end or a piece of what is shown just before or after it,
// as the pieces of a line that runs through are.
export function isShowing(row: SourceRow, texts: readonly SourceRow[], at: number): boolean {
  if (row.span.end - row.span.start < minSeconds) return false
  return ![texts[at - 1], texts[at + 1]].some(other => other && isNear(row, other) && isPieceOf(row.text, other.text))
}

function isNear(row: SourceRow, other: SourceRow): boolean {
  return row.span.start - other.span.end < 1 && other.span.start - row.span.end < 1
}

function isPieceOf(text: string, other: string): boolean {
  const [words, others] = [wordsOf(text), wordsOf(other)]
  const [short, long] = words.length <= others.length ? [words, others] : [others, words]
  const shared = short.filter(word => long.includes(word)).length
  return short.length > 0 && shared / short.length >= 0.6
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
