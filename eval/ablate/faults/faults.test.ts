import { describe, expect, test } from 'vitest'
import { drawFor, happens } from '../../../src/core/basics/draws.ts'
import { lineDraw, misheard, misread, textDraw, wordPool } from './plant-errors.ts'

const vocabulary = Array.from({ length: 60 }, (_, i) => `word${i}`)
const pick = drawFor(5, 'text')
const lines = Array.from({ length: 400 }, (_, i) => ({
  span: { start: i, end: i + 1 },
  text: Array.from({ length: 10 }, () => vocabulary[Math.floor(pick() * vocabulary.length)]).join(' '),
}))

// Edits that turn one list into the other: substitutions, losses and additions.
function distance(a: readonly string[], b: readonly string[]): number {
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++)
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    last = row
  }
  return last[b.length]!
}

function wordErrors(wer: number, seed = 1): number {
  const pool = wordPool(lines)
  let errors = 0
  for (const line of lines) {
    const heard = misheard(line, wer, pool, lineDraw(seed, line))?.text.split(' ') ?? []
    errors += distance(line.text.split(' '), heard)
  }
  return errors / (lines.length * 10)
}

describe('planted errors of speech', () => {
  test.each([0.05, 0.2, 0.4])('come as often as was asked for: %d', wer => {
    expect(wordErrors(wer)).toBeGreaterThan(wer * 0.88)
    expect(wordErrors(wer)).toBeLessThan(wer * 1.08)
  })

  test('of no strength change nothing', () => {
    expect(wordErrors(0)).toBe(0)
  })

  test('are the same for the same seed and others for another', () => {
    const pool = wordPool(lines)
    const spoil = (seed: number) => lines.map(line => misheard(line, 0.3, pool, lineDraw(seed, line))?.text)
    expect(spoil(1)).toEqual(spoil(1))
    expect(spoil(1)).not.toEqual(spoil(2))
  })

  test('at a small rate are among those of a greater rate', () => {
    const pool = wordPool(lines)
    const wrongAt = (wer: number) =>
      lines
        .filter(line => misheard(line, wer, pool, lineDraw(1, line))?.text !== line.text)
        .map(line => line.span.start)
    const many = new Set(wrongAt(0.3))
    expect(wrongAt(0.05).every(start => many.has(start))).toBe(true)
  })

  test('keep the times of words that are timed', () => {
    const words = ['one', 'two', 'three'].map((text, i) => ({ text, start: i, end: i + 1 }))
    const line = { span: { start: 0, end: 3 }, text: 'one two three', words }
    const heard = misheard(line, 0.5, vocabulary, lineDraw(3, line))
    expect(heard?.words?.map(word => word.text).join(' ')).toBe(heard?.text)
  })
})

describe('planted errors of reading', () => {
  const text = 'The quick brown fox opens at 10:45, room 204.\nAdults pay 12 dollars.'

  test.each([0.1, 0.3])('come as often as was asked for: %d', cer => {
    let errors = 0
    let letters = 0
    for (let at = 0; at < 200; at++) {
      errors += distance([...text], [...misread(text, cer, textDraw(1, at, text))])
      letters += [...text].filter(sign => /[\p{L}\p{N}]/u.test(sign)).length
    }
    expect(errors / letters).toBeGreaterThan(cer * 0.85)
    expect(errors / letters).toBeLessThan(cer * 1.1)
  })

  test('leave blanks and signs, and take digits for digits', () => {
    const read = misread('2024', 0.7, textDraw(1, 0, '2024'))
    expect(read).toMatch(/^\d*$/)
    expect(misread('a b\nc', 1, textDraw(1, 0, 'x')).replace(/[^\s]/g, '')).toBe(' \n')
  })
})

test('what is dropped at a strength is dropped at every greater one, in about that share', () => {
  const dropped = (amount: number) =>
    Array.from({ length: 2000 }, (_, i) => i).filter(i => happens(amount, 1, 'frames', i))
  expect(dropped(0.3).length).toBeGreaterThan(520)
  expect(dropped(0.3).length).toBeLessThan(680)
  const more = new Set(dropped(0.5))
  expect(dropped(0.3).every(i => more.has(i))).toBe(true)
  expect(dropped(1)).toHaveLength(2000)
  expect(dropped(0)).toHaveLength(0)
})
