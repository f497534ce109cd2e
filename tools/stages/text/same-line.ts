import { editDistance } from '../../../src/core/errors.ts'
import type { TextLine } from '../../../src/core/services.ts'

export type ScreenLine = Pick<TextLine, 'text' | 'box'>

// Two readings of one line: the same place, and words that differ only as one misread word differs from another.
// "The new bridge" and "The old bridge" are two lines, "12:04" and "12:05" too.
export function sameLine(a: ScreenLine, b: ScreenLine): boolean {
  if (!samePlace(a, b)) return false
  const [left, right] = [splitWords(a.text), splitWords(b.text)]
  if (left.length === right.length) return left.every((word, at) => sameWord(word, right[at] ?? ''))
  const [joined, other] = [left.join(''), right.join('')]
  return (
    joinNumbers(left) === joinNumbers(right) &&
    editDistance(joined, other) <= Math.floor(Math.max(joined.length, other.length) * 0.15)
  )
}

// True where `piece` is what is left of `whole` while something passes in front of it or one picture dissolves into another.
export function isPartOfLine(piece: ScreenLine, whole: ScreenLine): boolean {
  const inside =
    piece.box.x >= whole.box.x - 0.03 &&
    piece.box.x + piece.box.width <= whole.box.x + whole.box.width + 0.03 &&
    Math.abs(middle(piece) - middle(whole)) < Math.max(piece.box.height, whole.box.height) / 2
  if (!inside) return false
  const [short, long] = [splitWords(piece.text).join(''), splitWords(whole.text).join('')]
  return short.length < long.length && longestCommon(short, long).length >= Math.max(2, short.length * 0.6)
}

function samePlace(a: ScreenLine, b: ScreenLine): boolean {
  return (
    Math.abs(a.box.x - b.box.x) < 0.12 &&
    Math.abs(middle(a) - middle(b)) < Math.max(0.03, Math.max(a.box.height, b.box.height))
  )
}

export function middle({ box }: ScreenLine): number {
  return box.y + box.height / 2
}

export const maxLine = 500 // characters that are compared; no picture holds a line of more

// A number is a word of its own also where its space was not read: "Budget:137".
function splitWords(text: string): string[] {
  return (
    text
      .slice(0, maxLine)
      .toLowerCase()
      .replace(/(?<=\p{L})[.,:/-]+(?=\p{N})/gu, ' ')
      .match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[.,:/'-][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu) ?? []
  )
}

function sameWord(a: string, b: string): boolean {
  if (a === b) return true
  if (isNumber(a) || isNumber(b)) return false
  const longest = Math.max(a.length, b.length)
  return longest >= 3 && editDistance(a, b) <= Math.max(1, Math.floor(longest * 0.3))
}

function joinNumbers(words: string[]): string {
  return words.filter(isNumber).join(' ')
}

// Whole numbers, times and sums; a digit misread inside a word is none.
function isNumber(word: string): boolean {
  return /^\d[\d.,:/-]*$/.test(word)
}

// The longest run of characters that both hold, and where it begins in each.
export function longestCommon(a: string, b: string): { length: number; inA: number; inB: number } {
  let best = { length: 0, inA: 0, inB: 0 }
  let before = new Array<number>(b.length + 1).fill(0)
  for (let i = 1; i <= a.length; i++) {
    const row = new Array<number>(b.length + 1).fill(0)
    for (let j = 1; j <= b.length; j++) {
      if (a[i - 1] !== b[j - 1]) continue
      const length = before[j - 1]! + 1
      row[j] = length
      if (length > best.length) best = { length, inA: i - length, inB: j - length }
    }
    before = row
  }
  return best
}
