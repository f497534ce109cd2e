import { expect, test } from 'vitest'
import { estimate, stageSeconds } from './estimate.ts'

const each = { inputTokens: 1000, outputTokens: 100 }

test('several models share the calls evenly, and one without a price leaves the money open', () => {
  expect(estimate(10, each, [{ input: 1, output: 10 }])).toEqual({
    inputTokens: 10_000,
    outputTokens: 1000,
    money: 0.02,
  })
  const shared = estimate(10, each, [
    { input: 1, output: 10 },
    { input: 3, output: 30 },
  ])
  expect(shared.money).toBeCloseTo(0.04, 12)
  expect(estimate(10, each, [{ input: 1, output: 10 }, undefined]).money).toBeUndefined()
})

test('seconds are only known if every stage was measured', () => {
  expect(stageSeconds([])).toBe(0)
  expect(stageSeconds([{ hours: 2, secondsPerHour: 30 }])).toBe(60)
  expect(stageSeconds([{ hours: 2, secondsPerHour: 30 }, { hours: 1 }])).toBeUndefined()
})
