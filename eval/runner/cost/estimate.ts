import type { Price } from '../../../src/core/chat.ts'
import { usageCost } from '../../../src/runtime/models/prices.ts'

export interface TokenUse {
  inputTokens: number
  outputTokens: number
}

interface Estimate extends TokenUse {
  money?: number // left out if a model has no price
}

// What so many calls take if each takes this; several models share them evenly.
export function estimate(calls: number, each: TokenUse, prices: readonly (Price | undefined)[]): Estimate {
  const used = { inputTokens: calls * each.inputTokens, outputTokens: calls * each.outputTokens }
  const isPriced = prices.every(price => price !== undefined)
  const money = prices.reduce((sum, price) => sum + usageCost(used, price) / prices.length, 0)
  return { ...used, ...(isPriced && { money }) }
}

// Seconds of stages by what an hour of video took before; undefined if one was never measured here.
export function stageSeconds(stages: readonly { hours: number; secondsPerHour?: number }[]): number | undefined {
  return stages.reduce<number | undefined>(
    (sum, { hours, secondsPerHour }) =>
      sum === undefined || secondsPerHour === undefined ? undefined : sum + secondsPerHour * hours,
    0,
  )
}
