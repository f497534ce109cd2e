import { byCluster, clusteredStandardError } from '../../metrics/statistics/clusters.ts'

// How many questions it takes to see an effect of the size that was seen.
export interface Needed {
  questions: number // if questions were independent
  designEffect: number | null // by how much questions on one video count less than independent ones; null below 2 videos
  clustered: number // questions, times the design effect where it is above 1
  videos: number // with as many questions on each as here
}

const twoSided = 1.959963984540054 // the normal quantile of 0.975: alpha 0.05
const power = 0.8416212335729143 // of 0.8

// Differences of single questions, row less base, -1..1. Null where there is no effect to see.
// n = (z(0.975) sqrt(s) + z(0.8) sqrt(s - d²))² / d² with the mean d and the mean square s of the differences: for scores of
// 0 and 1 that is Miettinen's formula for McNemar's test (s: the share of questions on which the two differ).
export function needed(differences: readonly { score: number; cluster: string }[]): Needed | null {
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
