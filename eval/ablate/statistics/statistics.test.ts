import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../src/core/basics/numbers.ts'
import { compareTask, type Pair, signFlips, sizeNeeded } from './difference.ts'

const pairs = (rows: [video: string, base: number, row: number][]): Pair[] =>
  rows.map(([video, base, row], i) => ({ id: String(i), video, base, row, isOther: base !== row }))

// 12 questions on 3 videos: 7 lost, 1 gained, 4 alike.
const planted = pairs([
  ...['a', 'b', 'c', 'a', 'b', 'c', 'a'].map((video): [string, number, number] => [video, 1, 0]),
  ['b', 0, 1],
  ['c', 1, 1],
  ['a', 0, 0],
  ['b', 1, 1],
  ['c', 1, 1],
])

describe('the difference of a row to the base', () => {
  test('is the mean over the questions, in points', () => {
    expect(compareTask('open', planted, 1)).toMatchObject({
      n: 12,
      videos: 3,
      base: (100 * 10) / 12,
      row: (100 * 4) / 12,
      difference: -50,
      better: 1,
      worse: 7,
      test: 'mcnemar',
    })
  })

  test('is tested by exact McNemar: 1 of 8 or fewer, both ways, is 18/256', () => {
    expect(compareTask('open', planted, 1)?.p).toBeCloseTo(18 / 256, 12)
  })

  test('has the interval of drawing whole videos with replacement', () => {
    // The same by other means: sums of the videos, drawn with the documented generator, sorted.
    const videos = ['a', 'b', 'c'].map(video => {
      const own = planted.filter(pair => pair.video === video)
      return { points: own.reduce((sum, { base, row }) => sum + 100 * (row - base), 0), count: own.length }
    })
    const random = seededRandom(7)
    const means = Array.from({ length: 10_000 }, () => {
      const drawn = [0, 1, 2].map(() => videos[Math.floor(random() * 3)]!)
      return drawn.reduce((sum, one) => sum + one.points, 0) / drawn.reduce((sum, one) => sum + one.count, 0)
    }).sort((x, y) => x - y)
    const quantile = (share: number) => {
      const at = share * 9999
      return means[Math.floor(at)]! + (at % 1) * (means[Math.ceil(at)]! - means[Math.floor(at)]!)
    }
    const { interval } = compareTask('open', planted, 7) ?? { interval: { low: 0, high: 0 } }
    expect(interval.low).toBeCloseTo(quantile(0.025), 9)
    expect(interval.high).toBeCloseTo(quantile(0.975), 9)
  })

  test('of scores between wrong and right is tested by permutation', () => {
    const graded = pairs([
      ['a', 1, 0.5],
      ['a', 0.8, 0.2],
      ['b', 0.6, 0.5],
    ])
    // Signs of 0.5, 0.6 and 0.1: only all alike reach 1.2, in 2 of 8 ways.
    expect(compareTask('open', graded, 1)).toMatchObject({ test: 'permutation', p: 0.25 })
  })

  test('by video flips whole videos: three lost ones can give no less than 1/4', () => {
    const lost = pairs(
      ['a', 'b', 'c'].flatMap(video => [1, 2, 3, 4].map((): [string, number, number] => [video, 1, 0])),
    )
    const found = compareTask('open', lost, 1)
    expect(found?.p).toBeCloseTo(2 / 2 ** 12, 12)
    expect(found?.byVideo).toEqual({ p: 0.25, least: 0.25 })
  })

  test('of two equal runs is nothing, and not by chance', () => {
    const equal = pairs([1, 0, 1, 1].map((score, i): [string, number, number] => [`v${i % 2}`, score, score]))
    expect(compareTask('open', equal, 1)).toMatchObject({
      difference: 0,
      interval: { low: 0, high: 0 },
      questionInterval: { low: 0, high: 0 },
      p: 1,
      needed: null,
    })
  })
})

describe('flipping signs', () => {
  test('of many differences is drawn, and near the exact value', () => {
    const many = Array.from({ length: 18 }, (_, i) => (i < 14 ? 1 : -1))
    // Both tails of a fair coin at 14 of 18: 2 * (C(18,0)+...+C(18,4)) / 2^18
    const exact = (2 * (1 + 18 + 153 + 816 + 3060)) / 2 ** 18
    const { p, exact: tried } = signFlips(many, 3)
    expect(tried).toBe(false)
    expect(p).toBeGreaterThan(exact * 0.85)
    expect(p).toBeLessThan(exact * 1.15)
  })

  test('leaves out what did not change', () => {
    expect(signFlips([0, 0, 0.5, 0.5, 0]).p).toBe(0.5)
    expect(signFlips([0, 0]).p).toBe(1)
  })
})

describe('the number of questions needed', () => {
  test('is that of Miettinen for McNemar: 30 % lost, 10 % gained needs 77', () => {
    const scores = Array.from({ length: 100 }, (_, i) => ({ score: i < 30 ? -1 : i < 40 ? 1 : 0, cluster: String(i) }))
    // (1.95996 sqrt(0.4) + 0.84162 sqrt(0.4 - 0.04))^2 / 0.04
    const byHand = (1.959964 * Math.sqrt(0.4) + 0.841621 * Math.sqrt(0.36)) ** 2 / 0.04
    expect(sizeNeeded(scores)?.questions).toBe(Math.ceil(byHand))
    expect(sizeNeeded(scores)?.questions).toBe(77)
    expect(sizeNeeded(scores)?.designEffect).toBeCloseTo(1, 1)
  })

  test('is more where questions of one video go the same way', () => {
    const alike = Array.from({ length: 100 }, (_, i) => ({
      score: Math.floor(i / 10) < 3 ? -1 : 0,
      cluster: String(Math.floor(i / 10)),
    }))
    const found = sizeNeeded(alike)
    // Ten questions that always go alike count as one: (100 / 10 * 10 / 9) over (100 / 99).
    expect(found?.designEffect).toBeCloseTo(11, 9)
    expect(found?.clustered).toBe(11 * (found?.questions ?? 0))
    expect(found?.videos).toBe(Math.ceil((11 * (found?.questions ?? 0)) / 10))
  })
})
