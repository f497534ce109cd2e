import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../src/core/basics/numbers.ts'
import { cohensKappa, weightedKappa } from '../kappa.ts'
import { krippendorffsAlpha, type Level } from './alpha.ts'
import { pearson, ranks, spearman } from './correlation.ts'
import { measureWithInterval } from './measure.ts'
import vectors from './vectors.json' with { type: 'json' }

const levels: Level[] = ['nominal', 'ordinal', 'interval']

// vectors.json was calculated by other programs; it names them. The data are random, seed 18.
describe('as other programs calculate it', () => {
  test.each(vectors.pairs)('kappa and correlations of $kind', ({ a, b, ...wanted }) => {
    expect(cohensKappa(a, b)).toBeCloseTo(wanted.kappa, 10)
    expect(weightedKappa(a, b)).toBeCloseTo(wanted.weighted, 10)
    expect(pearson(a, b)).toBeCloseTo(wanted.pearson, 10)
    expect(spearman(a, b)).toBeCloseTo(wanted.spearman, 10)
  })

  test.each(vectors.units)('alpha, with ratings left out', ({ units, ...wanted }) => {
    for (const level of levels) expect(krippendorffsAlpha(units, level)).toBeCloseTo(wanted[level], 10)
  })
})

// InfiniBench, Table 5: GPT-4o, Gemini 2.0 and Qwen 2.5 as judges of 13 models. The text of the paper prints other values
// (0.97/0.95, 0.94/0.92, 0.8014): its unit is not the model, so these are not its figures reproduced.
const table5 = [
  [6.77, 7.67, 6.76],
  [5.61, 6.76, 5.78],
  [4.64, 4.53, 5.06],
  [4.56, 4.58, 5.36],
  [4.46, 4.89, 5.21],
  [4.11, 4.0, 4.5],
  [3.9, 4.01, 4.5],
  [3.89, 3.84, 4.38],
  [3.46, 3.84, 3.73],
  [3.26, 3.29, 3.97],
  [3.22, 2.65, 3.16],
  [3.0, 3.24, 3.41],
  [2.99, 3.06, 3.28],
]

test('Table 5 of InfiniBench, taken as 13 units by 3 raters', () => {
  const judge = (at: number) => table5.map(row => row[at]!)
  const pairs = [
    [0, 1, 0.9736, 0.9546],
    [0, 2, 0.9687, 0.9601],
    [1, 2, 0.9424, 0.9835],
  ] as const
  for (const [a, b, linear, ranked] of pairs) {
    expect(pearson(judge(a), judge(b))).toBeCloseTo(linear, 4)
    expect(spearman(judge(a), judge(b))).toBeCloseTo(ranked, 4)
  }
  expect(krippendorffsAlpha(table5, 'interval')).toBeCloseTo(0.9075, 4)
})

describe('a judge that always says the same', () => {
  const truth = ['A', 'B', 'A', 'C', 'B', 'A', 'B']
  const always = truth.map(() => 'A')

  test('agrees no more than by chance', () => {
    expect(cohensKappa(truth, always)).toBeCloseTo(0, 12)
    expect(weightedKappa([1, 5, 9], [5, 5, 5])).toBeCloseTo(0, 12)
  })

  test('has no correlation, and no kappa with another of its kind', () => {
    expect(pearson([1, 1, 1], [1, 2, 3])).toBeNull()
    expect(spearman([1, 1, 1], [1, 2, 3])).toBeNull()
    expect(cohensKappa(always, always)).toBeNull()
    expect(krippendorffsAlpha([[1, 1], [1, 1], [2]], 'nominal')).toBeNull()
    expect(pearson([1], [1])).toBeNull()
  })
})

describe('whatever the ratings', () => {
  const random = seededRandom(7)
  const given = (n: number) => Array.from({ length: n }, () => Math.floor(random() * 11))

  test('raters may change places and items their order', () => {
    for (let round = 0; round < 50; round++) {
      const [a, b] = [given(15), given(15)]
      const units = a.map((one, i) => [one, b[i]!])
      const turned = units.map(([one, other]) => [other!, one!]).reverse()
      for (const level of levels)
        expect(krippendorffsAlpha(turned, level)).toBeCloseTo(krippendorffsAlpha(units, level)!, 10)
      expect(cohensKappa(b, a)).toBeCloseTo(cohensKappa(a, b)!, 10)
      expect(weightedKappa(b, a)).toBeCloseTo(weightedKappa(a, b)!, 10)
      expect(spearman(b, a)).toBeCloseTo(spearman(a, b)!, 10)
    }
  })

  test('classes may have other names, and equal raters agree in full', () => {
    const names = 'KFAJDCGBEIH'
    for (let round = 0; round < 50; round++) {
      const [a, b] = [given(12), given(12)]
      const named = (values: number[]) => values.map(value => names[value]!)
      expect(cohensKappa(named(a), named(b))).toBeCloseTo(cohensKappa(a, b)!, 10)
      expect(cohensKappa(a, a)).toBe(1)
      expect(weightedKappa(a, a)).toBe(1)
      for (const level of levels)
        expect(
          krippendorffsAlpha(
            a.map(value => [value, value, value]),
            level,
          ),
        ).toBe(1)
    }
  })

  test('ranks only know the order, and share equal places', () => {
    expect(ranks([10, 20, 20, 5])).toEqual([2, 3.5, 3.5, 1])
    for (let round = 0; round < 50; round++) {
      const [a, b] = [given(12), given(12)]
      expect(spearman(a.map(Math.exp), b)).toBeCloseTo(spearman(a, b)!, 10)
      expect(
        pearson(
          a.map(value => 3 * value - 7),
          b,
        ),
      ).toBeCloseTo(pearson(a, b)!, 10)
    }
  })
})

interface Item {
  video: string
  a: boolean
  b: boolean
}

describe('an interval', () => {
  const items = Array.from({ length: 60 }, (_, i) => ({
    video: `v${i % 12}`,
    a: i % 3 === 0,
    b: i % 3 === 0 || i % 7 === 0,
  }))
  const kappa = {
    videoOf: (item: Item) => item.video,
    statistic: (all: readonly Item[]) =>
      cohensKappa(
        all.map(item => item.a),
        all.map(item => item.b),
      ),
    undefinedAs: 'both gave one verdict throughout',
  }

  test('holds the value, is the same each time, and counts what it is from', () => {
    const measured = measureWithInterval({ items, ...kappa })
    expect(measured.n).toBe(60)
    expect(measured.low).toBeLessThan(measured.value!)
    expect(measured.high).toBeGreaterThan(measured.value!)
    expect(measureWithInterval({ items, ...kappa })).toEqual(measured)
  })

  test('questions asked twice of the same video add no certainty', () => {
    const twice = measureWithInterval({ items: [...items, ...items], ...kappa })
    const { low, high } = measureWithInterval({ items, ...kappa })
    expect([twice.low, twice.high]).toEqual([expect.closeTo(low!, 10), expect.closeTo(high!, 10)])
  })

  test('is left out with the reason where there are too few videos, and so is an undefined value', () => {
    expect(measureWithInterval({ items: items.slice(0, 4), ...kappa })).toMatchObject({
      low: null,
      why: 'no interval from 4 videos',
    })
    const same = items.map(item => ({ ...item, a: true, b: true }))
    expect(measureWithInterval({ items: same, ...kappa })).toMatchObject({
      value: null,
      why: 'both gave one verdict throughout',
    })
    expect(measureWithInterval({ items: [], ...kappa })).toMatchObject({
      n: 0,
      value: null,
      why: 'nothing was judged by both',
    })
  })
})
