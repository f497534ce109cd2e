import { groupBy } from '../../../src/core/basics/group-by.ts'
import { seededRandom } from '../../../src/core/basics/numbers.ts'
import { byCluster, mean, type Scored } from './clusters.ts'

export interface ConfidenceInterval {
  low: number
  high: number
}

const confidence = 0.95
export const usual = { seed: 1, rounds: 2000 }
type Draws = Partial<typeof usual>

// Interval of the mean, from drawing whole videos with replacement; null if there is nothing to draw from.
export function bootstrapMean(scored: readonly Scored[], draws: Draws = {}): ConfidenceInterval | null {
  return scored.length === 0 ? null : percentileInterval(drawnMeans(scored, draws))
}

export interface Paired {
  a: number
  b: number
  cluster: string
}

export interface PairedResult extends ConfidenceInterval {
  difference: number // mean of b minus mean of a
  p: number // two-sided: how often the videos would have to fall to change the sign
  pairs: number
  clusters: number
}

// Is b better than a? The same questions under both, drawn by video.
export function pairedBootstrap(pairs: readonly Paired[], draws: Draws = {}): PairedResult | null {
  if (pairs.length === 0) return null
  const differences = pairs.map(({ a, b, cluster }) => ({ score: b - a, cluster }))
  const means = drawnMeans(differences, draws)
  const below = means.filter(value => value <= 0).length
  const above = means.filter(value => value >= 0).length
  return {
    difference: mean(differences.map(item => item.score)),
    ...percentileInterval(means),
    // One is added to both, or a test of 2,000 draws could claim p = 0.
    p: Math.min(1, (2 * (Math.min(below, above) + 1)) / (means.length + 1)),
    pairs: pairs.length,
    clusters: byCluster(differences).length,
  }
}

// Interval of any statistic of items, from drawing whole clusters; null if more than one draw in ten leaves it undefined.
export function drawClusters<Item>(
  items: readonly Item[],
  clusterOf: (item: Item) => string,
  statistic: (items: readonly Item[]) => number | null,
  { seed = usual.seed, rounds = usual.rounds }: Draws = {},
): ConfidenceInterval | null {
  const random = seededRandom(seed)
  const clusters = [...groupBy(items, clusterOf).values()]
  const values: number[] = []
  for (let round = 0; round < rounds; round++) {
    const value = statistic(clusters.flatMap(() => clusters[Math.floor(random() * clusters.length)] ?? []))
    if (value !== null) values.push(value)
  }
  return values.length < rounds * 0.9 ? null : percentileInterval(values)
}

function drawnMeans(scored: readonly Scored[], { seed = usual.seed, rounds = usual.rounds }: Draws): number[] {
  const random = seededRandom(seed)
  const clusters = byCluster(scored).map(scores => ({ sum: scores.reduce((a, b) => a + b, 0), count: scores.length }))
  return Array.from({ length: rounds }, () => {
    let sum = 0
    let count = 0
    for (let i = 0; i < clusters.length; i++) {
      const cluster = clusters[Math.floor(random() * clusters.length)]!
      sum += cluster.sum
      count += cluster.count
    }
    return sum / count
  })
}

function percentileInterval(values: readonly number[]): ConfidenceInterval {
  const sorted = [...values].sort((a, b) => a - b)
  const tail = (1 - confidence) / 2
  return { low: quantile(sorted, tail), high: quantile(sorted, 1 - tail) }
}

// Linear between the two nearest order statistics.
export function quantile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1)
  const low = Math.floor(at)
  const high = Math.min(low + 1, sorted.length - 1)
  return sorted[low]! + (at - low) * (sorted[high]! - sorted[low]!)
}
