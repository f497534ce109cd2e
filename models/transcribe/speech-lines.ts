import type { Finding, Word } from '../../src/core/evidence.ts'
import type { Span } from '../../src/core/time.ts'

const pause = 0.6 // a silence of this many seconds between two words ends a line
const maxSeconds = 12 // of one line

// Groups words into lines of about a sentence: a line ends at a pause, and one that is too long at the longest pause within it.
export function speechLines(words: readonly Word[]): Finding[] {
  const lines: Word[][] = []
  for (const word of words) {
    const last = lines.at(-1)?.at(-1)
    if (last && word.start - last.end <= pause) lines.at(-1)?.push(word)
    else lines.push([word])
  }
  return lines.flatMap(shortened).map(finding)
}

function shortened(words: Word[]): Word[][] {
  if (words.length < 2 || wordsSpan(words).end - wordsSpan(words).start <= maxSeconds) return [words]
  const at = longestPause(words)
  return [...shortened(words.slice(0, at)), ...shortened(words.slice(at))]
}

// The index of the word after the longest pause; of equal ones that nearest to the middle, so that no line is one word.
function longestPause(words: Word[]): number {
  const { start, end } = wordsSpan(words)
  const middle = (start + end) / 2
  let best = { at: 1, worth: Number.NEGATIVE_INFINITY }
  let before = start
  for (const [at, word] of words.entries()) {
    const worth = word.start - before - Math.abs(word.start - middle) / 100
    if (at > 0 && worth > best.worth) best = { at, worth }
    before = word.end
  }
  return best.at
}

// Words in order: a line has one or more.
function wordsSpan(words: readonly Word[]): Span {
  return { start: words.at(0)?.start ?? 0, end: words.at(-1)?.end ?? 0 }
}

function finding(words: Word[]): Finding {
  const measured = words.flatMap(word => word.confidence ?? [])
  const mean = measured.reduce((sum, value) => sum + value, 0) / measured.length
  return {
    span: wordsSpan(words),
    track: 'speech',
    text: words.map(word => word.text).join(' '),
    words,
    ...(measured.length > 0 ? { confidence: roundConfidence(mean) } : {}),
  }
}

// 0 to 1, to three digits.
export function roundConfidence(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000
}

// Whisper may fall into a loop and repeat one line; at most two of the same in a row are kept.
export async function* withoutLoops(lines: AsyncIterable<Finding>): AsyncGenerator<Finding> {
  let last = ''
  let times = 0
  for await (const line of lines) {
    const words = line.text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
    times = words === last ? times + 1 : 1
    last = words
    if (times <= 2) yield line
  }
}
