import { expect, test } from 'vitest'
import { mergeOverlap } from './merge-overlap.ts'
import type { HeardLine } from './segments.ts'

// A line of words that are said half a second each, from `start`.
function line(text: string, start: number): HeardLine {
  const words = text.split(' ').map((word, i) => ({
    text: ` ${word}`,
    start: start + i * 0.5,
    end: start + i * 0.5 + 0.4,
    confidence: 0.9,
  }))
  return { words, start, end: words[words.length - 1]!.end, probability: 0.9, timed: true }
}

const read = (lines: HeardLine[]) =>
  lines
    .flatMap(({ words }) => words)
    .map(word => word.text.trim())
    .join(' ')

test('what both windows heard stands once', () => {
  const left = [line('we walked to the old', 8)]
  const right = [line('the old house by the river', 9.5)]
  const joined = mergeOverlap(left, right, 10, 1)
  expect(read([...joined.left, ...joined.right])).toBe('we walked to the old house by the river')
})

test('a word that the edge of a window tore is taken from the window that heard it whole', () => {
  const left = [line('we walked to the old hou', 8)]
  const right = [line('e old house by the river', 9.5)]
  const joined = mergeOverlap(left, right, 10, 1)
  expect(read([...joined.left, ...joined.right])).toBe('we walked to the old house by the river')
})

test('words that the two heard differently are parted at the cut', () => {
  const left = [line('one two three four', 8.5)]
  const right = [line('drei vier five six', 9.5)]
  const joined = mergeOverlap(left, right, 10, 0.5)
  expect(read([...joined.left, ...joined.right])).toBe('one two three vier five six')
})

test('the same word said twice apart is no overlap', () => {
  const left = [line('yes we can', 8)]
  const right = [line('yes we will', 10.2)]
  const joined = mergeOverlap(left, right, 10, 0.5)
  expect(read([...joined.left, ...joined.right])).toBe('yes we can yes we will')
})

test('a line that loses words gets their times too, and one that loses all is gone', () => {
  const left = [line('a b c', 8), line('d e', 9.5)]
  const right = [line('d e f', 9.5)]
  const joined = mergeOverlap(left, right, 9.4, 1)
  expect(read([...joined.left, ...joined.right])).toBe('a b c d e f')
  for (const { words, start, end } of [...joined.left, ...joined.right]) {
    expect(start).toBe(words[0]!.start)
    expect(end).toBe(words[words.length - 1]!.end)
  }
})

test('nothing on one side leaves the other as it is', () => {
  const right = [line('hello there', 10.1)]
  expect(mergeOverlap([], right, 10, 1)).toEqual({ left: [], right })
  expect(mergeOverlap([line('bye now', 8)], [], 10, 1).left).toHaveLength(1)
})
