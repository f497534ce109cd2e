import { bootstrapMean } from './bootstrap.ts'
import type { Scored } from './clusters.ts'

export interface Accuracy {
  n: number
  accuracy: number // per cent
  low: number // of its 95 % interval
  high: number
  interval: 'videos drawn' | 'questions alone'
}

const enoughVideos = 5

// Scores of 0..1 as per cent with an interval. Questions on one video hang together, so whole videos are drawn. Fewer than five are too
// few to draw from: then the interval is Wilson's over the questions, which is too narrow.
export function computeAccuracy(scored: readonly Scored[]): Accuracy | null {
  const n = scored.length
  if (n === 0) return null
  const share = scored.reduce((sum, item) => sum + item.score, 0) / n
  const drawn = new Set(scored.map(item => item.cluster)).size >= enoughVideos
  const bounds = (drawn ? bootstrapMean(scored) : null) ?? wilson(share, n)
  return {
    n,
    accuracy: share * 100,
    low: bounds.low * 100,
    high: bounds.high * 100,
    interval: drawn ? 'videos drawn' : 'questions alone',
  }
}

// Wilson, Journal of the American Statistical Association 22 (1927): sound for few questions and for shares near 0 or 1.
export function wilson(share: number, n: number): { low: number; high: number } {
  const z = 1.959964
  const scale = 1 + z ** 2 / n
  const centre = (share + z ** 2 / (2 * n)) / scale
  const reach = (z / scale) * Math.sqrt((share * (1 - share)) / n + z ** 2 / (4 * n ** 2))
  return { low: Math.max(0, centre - reach), high: Math.min(1, centre + reach) }
}
