import { expect, test } from 'vitest'
import { resolveConfig } from '../../config/resolve.ts'
import { findPrice, rolePrices, usageCost } from './prices.ts'

async function settings(prices: object) {
  const set = [
    'models.planner.backend=openai',
    'models.planner.model=gpt-4.1-mini',
    'models.vision.backend=openai',
    'models.vision.model=other',
    `prices=${JSON.stringify(prices)}`,
  ]
  return (await resolveConfig({ cwd: import.meta.dirname, environment: {}, flags: { set } })).settings
}

test('a model has its own price, else that of its backend; a role without one costs nothing that is known', async () => {
  const given = await settings({ 'openai/gpt-4.1-mini': { input: 0.4, output: 1.6 }, openai: { input: 2, output: 8 } })
  expect(findPrice(given, 'planner')).toEqual({ input: 0.4, output: 1.6 })
  expect(findPrice(given, 'vision')).toEqual({ input: 2, output: 8 })
  expect(Object.keys(rolePrices(given))).toEqual(['planner', 'vision'])
  expect(usageCost({ inputTokens: 500_000, outputTokens: 1_000_000 }, findPrice(given, 'planner'))).toBeCloseTo(1.8)
  expect(usageCost({ inputTokens: 5, outputTokens: 5 }, undefined)).toBe(0)
})

test('a price below nothing is refused', async () => {
  await expect(settings({ openai: { input: -1, output: 2 } })).rejects.toThrow(/prices\.openai\.input/)
})
