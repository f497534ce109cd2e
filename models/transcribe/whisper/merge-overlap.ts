import type { HeardLine, HeardWord } from './segments.ts'

// Two windows overlap at a cut, so the words about it were heard twice. Each word is kept once: the lines change over in the
// middle of the words that both heard, and at the cut where there are none.
export function mergeOverlap(
  left: readonly HeardLine[],
  right: readonly HeardLine[],
  cut: number,
  overlap: number,
): { left: HeardLine[]; right: HeardLine[] } {
  const before = left.flatMap(line => line.words)
  const after = right.flatMap(line => line.words)
  const change = sharedWords(before, after, cut, overlap) ?? atCut(before, after, cut)
  return {
    left: keepWords(left, new Set(before.slice(0, change.before))),
    right: keepWords(right, new Set(after.slice(change.after))),
  }
}

// How many words of the left one stay, and with which word the right one begins.
interface Change {
  before: number
  after: number
}

const near = 1 // seconds that the two may differ about when a word was said

// The longest run of equal words that both heard about the cut at about the same time.
function sharedWords(
  before: readonly HeardWord[],
  after: readonly HeardWord[],
  cut: number,
  overlap: number,
): Change | undefined {
  const about = ({ start, end }: HeardWord) => end > cut - overlap - 0.5 && start < cut + overlap + 0.5
  let best = { length: 0, before: 0, after: 0 }
  before.forEach((word, i) => {
    if (!about(word)) return
    after.forEach((other, k) => {
      if (!about(other) || Math.abs(word.start - other.start) > near) return
      let length = 0
      while (same(before[i + length], after[k + length])) length++
      if (length > best.length) best = { length, before: i, after: k }
    })
  })
  if (best.length === 0) return undefined
  const middle = Math.ceil(best.length / 2)
  return { before: best.before + middle, after: best.after + middle }
}

function atCut(before: readonly HeardWord[], after: readonly HeardWord[], cut: number): Change {
  const isLeft = ({ start, end }: HeardWord) => (start + end) / 2 < cut
  const first = after.findIndex(word => !isLeft(word))
  return { before: before.findLastIndex(isLeft) + 1, after: first < 0 ? after.length : first }
}

function same(a: HeardWord | undefined, b: HeardWord | undefined): boolean {
  return (
    a !== undefined &&
    b !== undefined &&
    comparableText(a.text) !== '' &&
    comparableText(a.text) === comparableText(b.text)
  )
}

export function comparableText(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

function keepWords(lines: readonly HeardLine[], words: ReadonlySet<HeardWord>): HeardLine[] {
  return lines.flatMap(line => {
    const lineWords = line.words.filter(word => words.has(word))
    if (lineWords.length === line.words.length) return [line]
    const [first, last] = [lineWords.at(0), lineWords.at(-1)]
    return first && last ? [{ ...line, words: lineWords, start: first.start, end: last.end }] : []
  })
}
