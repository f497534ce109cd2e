import { expect, test } from 'vitest'
import { seededRandom } from '../../src/core/basics/numbers.ts'
import { cohensKappa } from './kappa.ts'

test('full agreement is 1, full disagreement of even shares is -1', () => {
  expect(cohensKappa([true, false], [true, false])).toBe(1)
  expect(cohensKappa([true, false], [false, true])).toBe(-1)
})

test('kappa is undefined where both always say the same word, and where there is nothing', () => {
  expect(cohensKappa([true, true], [true, true])).toBeNull()
  expect(cohensKappa([], [])).toBeNull()
  expect(cohensKappa([true, true], [false, false])).toBe(0)
})

test('kappa is symmetric, never above 1, and near 0 for unrelated judgments', () => {
  const random = seededRandom(5)
  const toss = (n: number) => Array.from({ length: n }, () => random() < 0.4)
  for (let round = 0; round < 100; round++) {
    const a = toss(30)
    const b = toss(30)
    const kappa = cohensKappa(a, b)
    expect(kappa).toBe(cohensKappa(b, a))
    expect(kappa ?? 0).toBeLessThanOrEqual(1)
  }
  expect(Math.abs(cohensKappa(toss(20_000), toss(20_000)) ?? 1)).toBeLessThan(0.03)
})
