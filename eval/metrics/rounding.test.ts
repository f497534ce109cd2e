import { expect, test } from 'vitest'
import { seededRandom } from '../../src/core/basics/numbers.ts'
import { formatFixed, roundHalfEven, roundScaled, toEven } from './rounding.ts'

test('an exact tie goes to the even neighbour', () => {
  expect(roundHalfEven(3.125, 2)).toBe(3.12)
  expect(roundHalfEven(9.375, 2)).toBe(9.38)
  expect([0.5, 1.5, 2.5, -0.5, -1.5].map(value => roundHalfEven(value))).toEqual([0, 2, 2, -0, -2])
})

test('a double that only looks like a tie is rounded by its exact value', () => {
  expect(roundHalfEven(2.675, 2)).toBe(2.67)
  expect(roundHalfEven(1.005, 2)).toBe(1)
  expect(roundHalfEven(1.115, 2)).toBe(1.11)
})

test('written numbers keep their digits', () => {
  expect(formatFixed(0, 2)).toBe('0.00')
  expect(formatFixed(-0.004, 2)).toBe('-0.00')
  expect(formatFixed(100, 2)).toBe('100.00')
  expect(formatFixed(0.5, 0)).toBe('0')
  expect(formatFixed(1e21, 1)).toBe('1000000000000000000000.0')
  expect(formatFixed(5e-324, 3)).toBe('0.000')
})

test('numpy rounds the scaled number and so differs from Python', () => {
  expect(roundScaled(2.675, 2)).toBe(2.68)
  expect(roundHalfEven(2.675, 2)).toBe(2.67)
  expect([0.5, 1.5, 2.5, -0.5, -1.5, 2.4, 2.6].map(value => toEven(value))).toEqual([0, 2, 2, 0, -2, 2, 3])
})

test('rounding is idempotent, keeps the order and stays within half a step', () => {
  const random = seededRandom(7)
  let last = { value: Number.NEGATIVE_INFINITY, rounded: Number.NEGATIVE_INFINITY }
  const values = Array.from({ length: 500 }, () => (random() - 0.5) * 10 ** Math.floor(random() * 7)).sort(
    (a, b) => a - b,
  )
  for (const value of values) {
    const rounded = roundHalfEven(value, 3)
    expect(roundHalfEven(rounded, 3)).toBe(rounded)
    expect(Math.abs(rounded - value)).toBeLessThanOrEqual(0.0005 + 1e-12)
    expect(rounded).toBeGreaterThanOrEqual(last.rounded)
    last = { value, rounded }
  }
})
