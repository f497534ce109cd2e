import { expect, test } from 'vitest'
import { fromFloat16, toFloat16 } from './numbers.ts'

const roundTrip = (...values: number[]) => [...fromFloat16(toFloat16(Float32Array.from(values)))]

test('every half float survives the way there and back', () => {
  const all = Uint16Array.from({ length: 65536 }, (_, half) => half)
  const back = toFloat16(fromFloat16(all))
  const isNaN16 = (half: number) => (half & 0x7c00) === 0x7c00 && (half & 0x3ff) !== 0
  expect(all.filter((half, at) => back[at] !== half && !isNaN16(half))).toHaveLength(0)
})

test('a value becomes the nearest half float, and a tie the even one', () => {
  expect(roundTrip(0.1, -0.1)).toEqual([0.0999755859375, -0.0999755859375])
  expect(roundTrip(1 + 1 / 2048, 1 + 3 / 2048)).toEqual([1, 1 + 4 / 2048])
  expect(roundTrip(2 ** -24, 2 ** -25, 2 ** -25 * 1.001)).toEqual([2 ** -24, 0, 2 ** -24])
  expect(roundTrip(65504, 65519, 65520)).toEqual([65504, 65504, Number.POSITIVE_INFINITY])
})

test('a number of a unit vector loses less than one part in two thousand', () => {
  for (let value = 0.001; value < 1; value += 0.000371) {
    expect(Math.abs(roundTrip(value)[0]! - value) / value).toBeLessThan(1 / 2048)
  }
})
