import { type ConfidenceInterval, pairedBootstrap } from '../../metrics/statistics/bootstrap.ts'
import { byCluster } from '../../metrics/statistics/clusters.ts'
import { pick, seededRandom } from '../../metrics/statistics/random.ts'
import { mcNemarExact } from '../../metrics/statistics/significance.ts'
import { type Needed, needed } from './needed.ts'
import { signFlips } from './sign-flips.ts'

// One question under the base and under the row, scored strictly: 0..1, below 0 where penalties outweigh.
export interface Pair {
  id: string
  video: string
  base: number
  row: number
}

// What is said of a row beside the base in one task. Scores and differences are in points of a hundred.
export interface Difference {
  task: string
  n: number
  videos: number
  base: number
  row: number
  difference: number // row less base
  interval: ConfidenceInterval // 95 %, whole videos drawn
  questionInterval: ConfidenceInterval // 95 %, questions drawn within each video
  better: number // questions on which the row scores higher
  worse: number
  test: 'mcnemar' | 'permutation' // exact McNemar where all scores are 0 or 1
  p: number // two-sided, of the questions
  holm: number // the same, corrected over the rows of the study in this task
  byVideo: { p: number; least: number } // the signs of whole videos flipped; `least` is the smallest p so many videos can give
  needed: Needed | null // for 80 % power at 5 %, two-sided, uncorrected
}

export const resamples = 10_000
export const fewVideos = 5 // below so many, drawing whole videos says little

// Without the correction over rows, which takes all of them.
export function difference(task: string, pairs: readonly Pair[], seed: number): Difference | undefined {
  const scaled = pairs.map(({ video, base, row }) => ({ a: 100 * base, b: 100 * row, cluster: video }))
  const drawn = pairedBootstrap(scaled, { seed, rounds: resamples })
  if (!drawn) return undefined
  const differences = pairs.map(({ video, base, row }) => ({ score: row - base, cluster: video }))
  const better = pairs.filter(({ base, row }) => row > base).length
  const worse = pairs.filter(({ base, row }) => row < base).length
  const whole = pairs.every(({ base, row }) => isWhole(base) && isWhole(row))
  const p = whole
    ? mcNemarExact(worse, better)
    : signFlips(
        differences.map(({ score }) => score),
        seed,
      ).p
  const sums = byCluster(differences).map(scores => scores.reduce((sum, score) => sum + score, 0))
  const flipped = signFlips(sums, seed)
  const meanOf = (of: (pair: Pair) => number) => (100 * pairs.reduce((sum, pair) => sum + of(pair), 0)) / pairs.length
  return {
    task,
    n: pairs.length,
    videos: drawn.clusters,
    base: meanOf(pair => pair.base),
    row: meanOf(pair => pair.row),
    difference: drawn.difference,
    interval: { low: drawn.low, high: drawn.high },
    questionInterval: drawnWithin(differences, seed),
    better,
    worse,
    test: whole ? 'mcnemar' : 'permutation',
    p,
    holm: p,
    byVideo: { p: flipped.p, least: Math.min(1, 2 / 2 ** sums.length) },
    needed: needed(differences),
  }
}

function isWhole(score: number): boolean {
  return score === 0 || score === 1
}

// As many questions as each video has, drawn from its own: what the same videos would give with other questions.
function drawnWithin(differences: readonly { score: number; cluster: string }[], seed: number): ConfidenceInterval {
  const random = seededRandom(seed)
  const videos = byCluster(differences)
  const means = Array.from({ length: resamples }, () => {
    let sum = 0
    for (const scores of videos) for (let i = 0; i < scores.length; i++) sum += scores[pick(random, scores.length)]
    return (100 * sum) / differences.length
  }).sort((a, b) => a - b)
  return { low: quantile(means, 0.025), high: quantile(means, 0.975) }
}

// Linear between the two nearest order statistics.
function quantile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1)
  const low = Math.floor(at)
  const high = Math.min(low + 1, sorted.length - 1)
  return sorted[low] + (at - low) * (sorted[high] - sorted[low])
}
