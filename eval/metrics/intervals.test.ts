import { expect, test } from 'vitest'
import { seededRandom } from '../../src/core/basics/numbers.ts'
import { type Interval, intervalIoU, meanShare, mergeIntervals, totalLength, validIntervals } from './intervals.ts'

function someIntervals(random: () => number): Interval[] {
  return Array.from({ length: Math.floor(random() * 5) }, (): Interval => {
    const start = random() * 100
    return [start, start + random() * 30]
  })
}

test('IoU is symmetric, between 0 and 1, and 1 with itself', () => {
  const random = seededRandom(1)
  for (let round = 0; round < 300; round++) {
    const a = someIntervals(random)
    const b = someIntervals(random)
    expect(intervalIoU(a, b)).toBeCloseTo(intervalIoU(b, a), 12)
    expect(intervalIoU(a, b)).toBeGreaterThanOrEqual(0)
    expect(intervalIoU(a, b)).toBeLessThanOrEqual(1 + 1e-12)
    if (a.length > 0) expect(intervalIoU(a, a)).toBeCloseTo(1, 12)
  }
})

test('order and repetition of the intervals do not matter', () => {
  const random = seededRandom(2)
  for (let round = 0; round < 200; round++) {
    const a = someIntervals(random)
    const b = someIntervals(random)
    expect(intervalIoU([...a].reverse(), b)).toBeCloseTo(intervalIoU(a, b), 12)
    expect(intervalIoU([...a, ...a], b)).toBeCloseTo(intervalIoU(a, b), 12)
  }
})

test('IoU agrees with counting seconds on a fine grid', () => {
  const random = seededRandom(3)
  for (let round = 0; round < 20; round++) {
    const a = someIntervals(random)
    const b = someIntervals(random)
    const covers = (intervals: Interval[], at: number) => intervals.some(([start, end]) => at >= start && at < end)
    let both = 0
    let either = 0
    for (let at = 0; at < 140; at += 0.01) {
      if (covers(a, at) && covers(b, at)) both++
      if (covers(a, at) || covers(b, at)) either++
    }
    expect(intervalIoU(a, b)).toBeCloseTo(either ? both / either : 0, 2)
  }
})

test('merged intervals are apart and cover the same', () => {
  const random = seededRandom(4)
  for (let round = 0; round < 200; round++) {
    const merged = mergeIntervals(someIntervals(random))
    for (let i = 1; i < merged.length; i++) expect(merged[i]![0]).toBeGreaterThan(merged[i - 1]![1])
  }
  expect(
    mergeIntervals([
      [3, 5],
      [1, 3],
    ]),
  ).toEqual([[1, 5]])
})

test('the overlap of a prediction with itself counts once', () => {
  expect(
    intervalIoU(
      [
        [8, 15],
        [12, 25],
      ],
      [[10, 20]],
    ),
  ).toBeCloseTo(10 / 17, 12)
})

test('reversed, endless and outlying intervals are dropped, the rest clipped, five kept', () => {
  const limits = { duration: 100, max: 5 }
  expect(
    validIntervals(
      [
        [20, 10],
        [5, 5],
        [Number.NaN, 3],
        [0, Number.POSITIVE_INFINITY],
      ],
      limits,
    ),
  ).toEqual([])
  expect(
    validIntervals(
      [
        [-5, 10],
        [90, 130],
        [120, 130],
      ],
      limits,
    ),
  ).toEqual([
    [0, 10],
    [90, 100],
  ])
  const seven = Array.from({ length: 7 }, (_, i): Interval => [i, i + 0.5])
  expect(validIntervals([[9, 1], ...seven], limits)).toEqual(seven.slice(0, 5))
})

test('a value on the threshold reaches it', () => {
  expect(meanShare([0.5, 0.2], [0.5])).toBe(0.5)
  expect(meanShare([], [0.5])).toBeNull()
})

test('the length of a reversed interval is negative, as the released scorer adds it', () => {
  expect(
    totalLength([
      [10, 20],
      [100, 95],
    ]),
  ).toBe(5)
  expect(
    intervalIoU(
      [
        [10, 20],
        [100, 95],
      ],
      [[10, 20]],
    ),
  ).toBe(2)
})
