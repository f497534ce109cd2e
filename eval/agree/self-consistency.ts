import { quantile } from '../metrics/statistics/bootstrap.ts'
import { mean } from '../metrics/statistics/clusters.ts'

export interface SelfConsistency {
  repeats: number
  items: number // that were judged each time
  unanimous: number | null // share of items with one verdict throughout
  flips: number | null // changes from one repeat to the next, for each item
  deviation: number | null // standard deviation of the whole score over the repeats, points of 100
  quartiles: number[] | null // of the whole score: least, 25 %, 50 %, 75 %, greatest
}

// One judge asked several times, each time anew: how far it agrees with itself.
export function selfConsistency(times: readonly ReadonlyMap<string, number>[]): SelfConsistency {
  const [first] = times
  const keys = [...(first?.keys() ?? [])].filter(key => times.every(time => time.has(key)))
  const repeats = times.length
  if (keys.length === 0) return { repeats, items: 0, unanimous: null, flips: null, deviation: null, quartiles: null }
  const rows = keys.map(key => times.map(time => time.get(key) ?? 0))
  const flips = rows.map(row => row.slice(1).filter((score, i) => score !== row[i]).length)
  const scores = times.map(time => 100 * mean(keys.map(key => time.get(key) ?? 0))).sort((a, b) => a - b)
  const centre = mean(scores)
  return {
    repeats,
    items: keys.length,
    unanimous: flips.filter(count => count === 0).length / keys.length,
    flips: mean(flips),
    deviation:
      repeats < 2 ? null : Math.sqrt(scores.reduce((sum, score) => sum + (score - centre) ** 2, 0) / (repeats - 1)),
    quartiles: [0, 0.25, 0.5, 0.75, 1].map(share => quantile(scores, share)),
  }
}
