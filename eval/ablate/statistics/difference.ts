import { seededRandom } from '../../../src/core/basics/numbers.ts'
import { type ConfidenceInterval, pairedBootstrap, quantile } from '../../metrics/statistics/bootstrap.ts'
import { byCluster, clusteredStandardError } from '../../metrics/statistics/clusters.ts'
import { mcNemarExact } from '../../metrics/statistics/significance.ts'

// One question under the base and under the row, scored strictly: 0..1, below 0 if penalties outweigh.
export interface Pair {
  id: string
  video: string
  base: number
  row: number
  isOther: boolean // what is answered is not the same, right or wrong
}

// A row compared with the base in one task. Scores and differences are in points of a hundred.
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
  changed: number // answers that are not the same, right or wrong
  test: 'mcnemar' | 'permutation' // exact McNemar where all scores are 0 or 1
  p: number // two-sided, of the questions
  holm: number // the same, corrected over the rows of the study in this task
  byVideo: { p: number; least: number } // the signs of whole videos flipped; `least` is the smallest p so many videos can give
  needed: Needed | null // for 80 % power at 5 %, two-sided, uncorrected
}

export const resamples = 10_000
export const fewVideos = 5 // below so many, drawing whole videos says little

// Without the correction over rows, which takes all of them.
export function compareTask(task: string, pairs: readonly Pair[], seed: number): Difference | undefined {
  const scaled = pairs.map(({ video, base, row }) => ({ a: 100 * base, b: 100 * row, cluster: video }))
  const drawn = pairedBootstrap(scaled, { seed, rounds: resamples })
  if (!drawn) return undefined
  const differences = pairs.map(({ video, base, row }) => ({ score: row - base, cluster: video }))
  const better = pairs.filter(({ base, row }) => row > base).length
  const worse = pairs.filter(({ base, row }) => row < base).length
  const whole = pairs.every(({ base, row }) => isWhole(base) && isWhole(row))
  const scores = differences.map(({ score }) => score)
  const p = whole ? mcNemarExact(worse, better) : signFlips(scores, seed).p
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
    changed: pairs.filter(({ isOther }) => isOther).length,
    test: whole ? 'mcnemar' : 'permutation',
    p,
    holm: p,
    byVideo: { p: flipped.p, least: Math.min(1, 2 / 2 ** sums.length) },
    needed: sizeNeeded(differences),
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
    for (const scores of videos) for (let i = 0; i < scores.length; i++) sum += scores[pick(random, scores.length)]!
    return (100 * sum) / differences.length
  }).sort((a, b) => a - b)
  return { low: quantile(means, 0.025), high: quantile(means, 0.975) }
}

// How many questions it takes to see an effect of the size that was seen.
interface Needed {
  questions: number // if questions were independent
  designEffect: number | null // by how much questions on one video count less than independent ones; null below 2 videos
  clustered: number // questions, times the design effect where it is above 1
  videos: number // with as many questions on each as here
}

const twoSided = 1.959963984540054 // the normal quantile of 0.975: alpha 0.05
const power = 0.8416212335729143 // of 0.8

// Differences of single questions, row less base, -1..1. Null if there is no effect to see.
// n = (z(0.975) sqrt(s) + z(0.8) sqrt(s - d²))² / d² with the mean d and the mean square s of the differences: for scores of
// 0 and 1 that is Miettinen's formula for McNemar's test (s: the share of questions on which the two differ).
export function sizeNeeded(differences: readonly { score: number; cluster: string }[]): Needed | null {
  const n = differences.length
  const mean = differences.reduce((sum, { score }) => sum + score, 0) / n
  const square = differences.reduce((sum, { score }) => sum + score ** 2, 0) / n
  if (n === 0 || Math.abs(mean) < 1e-12) return null
  const spread = Math.max(0, square - mean ** 2)
  const questions = Math.ceil((twoSided * Math.sqrt(square) + power * Math.sqrt(spread)) ** 2 / mean ** 2 - 1e-9)
  const clusters = byCluster(differences).length
  const clusteredError = clusteredStandardError(differences)
  const plainError = Math.sqrt(spread / Math.max(1, n - 1))
  const designEffect = clusteredError === null || plainError === 0 ? null : (clusteredError / plainError) ** 2
  const clustered = Math.ceil(questions * Math.max(1, designEffect ?? 1) - 1e-9)
  return { questions, designEffect, clustered, videos: Math.max(1, Math.ceil((clustered * clusters) / n - 1e-9)) }
}

interface FlipTest {
  p: number // two-sided
  least: number // the smallest p that so many differences can give
  exact: boolean // every assignment of signs was tried; else drawn
}

const maxTried = 16 // differences: 65,536 assignments
const draws = 20_000

// Paired permutation test: had the two runs been alike, each difference would have had either sign with equal chance. How
// often is the sum then at least as far from 0 as the one that was seen? Differences of 0 change nothing and are left out.
export function signFlips(differences: readonly number[], seed = 1): FlipTest {
  const sizes = differences.filter(value => Math.abs(value) > 1e-12).map(Math.abs)
  const seen = Math.abs(differences.reduce((sum, value) => sum + value, 0))
  if (sizes.length === 0) return { p: 1, least: 1, exact: true }
  const asFar = (sum: number) => Math.abs(sum) >= seen - 1e-9
  if (sizes.length <= maxTried) {
    const all = 2 ** sizes.length
    let far = 0
    for (let signs = 0; signs < all; signs++)
      far += Number(asFar(sizes.reduce((sum, size, at) => sum + (signs & (1 << at) ? size : -size), 0)))
    return { p: far / all, least: Math.min(1, 2 / all), exact: true }
  }
  const random = seededRandom(seed)
  let far = 0
  for (let draw = 0; draw < draws; draw++)
    far += Number(asFar(sizes.reduce((sum, size) => sum + (random() < 0.5 ? size : -size), 0)))
  return { p: (far + 1) / (draws + 1), least: 1 / (draws + 1), exact: false }
}

function pick(random: () => number, below: number): number {
  return Math.floor(random() * below)
}
