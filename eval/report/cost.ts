import type { AskRecord, SampleLine } from '../runner/line.ts'

// What the questions took; indexing is not in it.
export interface Cost {
  questions: number
  seconds: Spread
  calls: Spread // of models
  tokens: Spread
  frames: Spread
  money: Spread // in the currency of the prices that were set; 0 where none was
}

export interface Spread {
  total: number
  mean: number
  median: number
  p90: number
  most: number
}

export function costOf(lines: readonly SampleLine[]): Cost {
  const asks = lines.flatMap(line => line.asks).filter(ask => ask.error === undefined)
  const spread = (of: (ask: AskRecord) => number) => spreadOf(asks.map(of))
  return {
    questions: asks.length,
    seconds: spread(ask => ask.seconds),
    calls: spread(ask => ask.usage.calls),
    tokens: spread(ask => ask.usage.inputTokens + ask.usage.outputTokens),
    frames: spread(ask => ask.usage.frames),
    money: spread(ask => ask.usage.money),
  }
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const total = sorted.reduce((sum, value) => sum + value, 0)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  return { total, mean: sorted.length === 0 ? 0 : total / sorted.length, median: at(0.5), p90: at(0.9), most: at(1) }
}
