import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../src/core/basics/numbers.ts'
import { bootstrapMean, pairedBootstrap } from './bootstrap.ts'
import { clusteredStandardError, mean } from './clusters.ts'
import { binomialAtLeast, holm, mcNemarExact } from './significance.ts'

describe('random numbers', () => {
  test('the same seed gives the same numbers, another seed others, evenly spread', () => {
    const draw = (seed: number, n: number) => {
      const random = seededRandom(seed)
      return Array.from({ length: n }, random)
    }
    expect(draw(3, 20)).toEqual(draw(3, 20))
    expect(draw(3, 20)).not.toEqual(draw(4, 20))
    const many = draw(9, 20_000)
    expect(mean(many)).toBeCloseTo(0.5, 1)
    expect(Math.min(...many)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...many)).toBeLessThan(1)
  })
})

describe('standard error by cluster', () => {
  const alone = [1, 0, 1, 1, 0, 1].map((score, i) => ({ score, cluster: String(i) }))

  test('with one question per video it is the usual standard error', () => {
    const centre = 4 / 6
    const variance = alone.reduce((sum, { score }) => sum + (score - centre) ** 2, 0) / 5
    expect(clusteredStandardError(alone)).toBeCloseTo(Math.sqrt(variance / 6), 12)
  })

  test('asking every question twice of the same video adds no certainty', () => {
    const twice = [...alone, ...alone]
    expect(clusteredStandardError(twice)).toBeCloseTo(clusteredStandardError(alone) ?? 0, 12)
  })

  test('one video says nothing about other videos', () => {
    expect(clusteredStandardError(alone.map(item => ({ ...item, cluster: 'x' })))).toBeNull()
  })
})

describe('bootstrap', () => {
  const random = seededRandom(11)
  const scored = Array.from({ length: 300 }, (_, i) => ({ score: random() < 0.6 ? 1 : 0, cluster: `v${i % 60}` }))

  test('the interval holds the mean, is reproducible and narrows with more data', () => {
    const interval = bootstrapMean(scored)
    expect(interval).toEqual(bootstrapMean(scored))
    const centre = mean(scored.map(item => item.score))
    expect(interval?.low).toBeLessThan(centre)
    expect(interval?.high).toBeGreaterThan(centre)
    const few = bootstrapMean(scored.slice(0, 60))
    expect((few?.high ?? 0) - (few?.low ?? 0)).toBeGreaterThan((interval?.high ?? 0) - (interval?.low ?? 0))
    expect(bootstrapMean([])).toBeNull()
  })

  test('95 % intervals hold the truth about 95 times in 100', () => {
    let held = 0
    for (let round = 0; round < 200; round++) {
      const sample = Array.from({ length: 80 }, (_, i) => ({ score: random() < 0.5 ? 1 : 0, cluster: String(i) }))
      const interval = bootstrapMean(sample, { rounds: 300, seed: round })
      if (interval && interval.low <= 0.5 && interval.high >= 0.5) held++
    }
    expect(held).toBeGreaterThan(180)
    expect(held).toBeLessThanOrEqual(200)
  })

  test('two equal runs differ by nothing; a better one is found; swapping turns the sign', () => {
    const same = scored.map(({ score, cluster }) => ({ a: score, b: score, cluster }))
    expect(pairedBootstrap(same)).toMatchObject({ difference: 0, p: 1 })
    const better = scored.map(({ score, cluster }, i) => ({ a: score, b: i % 4 === 0 ? 1 : score, cluster }))
    const found = pairedBootstrap(better)
    expect(found?.difference).toBeGreaterThan(0)
    expect(found?.p).toBeLessThan(0.01)
    expect(found?.low).toBeGreaterThan(0)
    const swapped = pairedBootstrap(better.map(({ a, b, cluster }) => ({ a: b, b: a, cluster })))
    expect(swapped?.difference).toBeCloseTo(-(found?.difference ?? 0), 12)
    expect(swapped?.p).toBe(found?.p)
  })

  test('a difference that hangs on one video is not called sure', () => {
    const pairs = Array.from({ length: 40 }, (_, i) => ({ a: 0, b: i < 20 ? 1 : 0, cluster: i < 20 ? 'one' : `v${i}` }))
    expect(pairedBootstrap(pairs)?.p).toBeGreaterThan(0.05)
  })
})

describe('exact McNemar', () => {
  test('known values', () => {
    expect(mcNemarExact(0, 0)).toBe(1)
    expect(mcNemarExact(5, 5)).toBe(1)
    expect(mcNemarExact(0, 5)).toBeCloseTo(2 / 32, 12)
    expect(mcNemarExact(1, 9)).toBeCloseTo((2 * 11) / 1024, 12)
  })

  test('it is symmetric, and no smaller for a more even split', () => {
    for (let n = 1; n < 60; n++) {
      let last = 0
      for (let k = 0; k <= n / 2; k++) {
        const p = mcNemarExact(k, n - k)
        expect(p).toBe(mcNemarExact(n - k, k))
        expect(p).toBeGreaterThanOrEqual(last - 1e-12)
        last = p
      }
    }
    expect(mcNemarExact(900, 1100)).toBeLessThan(0.001)
  })
})

test('exact binomial: as scipy 1.17.1 binomtest(hits, n, chance, "greater") has it', () => {
  const known: [hits: number, n: number, chance: number, p: number][] = [
    [0, 10, 0.3, 1],
    [3, 10, 0.3, 0.6172172136000003],
    [10, 10, 0.3, 5.9048999999999975e-6],
    [1, 1, 0.5, 0.5],
    [60, 100, 0.5, 0.028443966820490444],
    [1000, 12129, 0.07, 8.774536081052495e-8],
    [12, 12129, 0.001, 0.5531378953377264],
    [900, 3000, 0.25, 3.1953834892628824e-10],
  ]
  for (const [hits, n, chance, p] of known) expect(binomialAtLeast(hits, n, chance) / p).toBeCloseTo(1, 8)
  expect(binomialAtLeast(11, 10, 0.3)).toBe(0)
})

describe('Holm', () => {
  test('the textbook example', () => {
    expect(holm([0.01, 0.04, 0.03, 0.005]).map(p => Number(p.toFixed(6)))).toEqual([0.03, 0.06, 0.06, 0.02])
  })

  test('never below the raw value, never above 1, and the order is kept', () => {
    const random = seededRandom(21)
    for (let round = 0; round < 100; round++) {
      const values = Array.from({ length: 8 }, random)
      const adjusted = holm(values)
      values.forEach((value, i) => {
        expect(adjusted[i]).toBeGreaterThanOrEqual(value)
        expect(adjusted[i]).toBeLessThanOrEqual(1)
        values.forEach((other, j) => {
          if (value < other) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j]!)
        })
      })
    }
    expect(holm([])).toEqual([])
  })
})
