// One score, and the video it is about: questions on one video are not independent.
export interface Scored {
  score: number
  cluster: string
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

// The scores of each cluster, in order of appearance.
export function byCluster(scored: readonly Scored[]): number[][] {
  const clusters = new Map<string, number[]>()
  for (const { score, cluster } of scored) {
    const scores = clusters.get(cluster)
    if (scores) scores.push(score)
    else clusters.set(cluster, [score])
  }
  return [...clusters.values()]
}

// Standard error of the mean with scores of one cluster allowed to hang together; null below two clusters.
// With one score per cluster it is the usual standard error.
export function clusteredStandardError(scored: readonly Scored[]): number | null {
  const clusters = byCluster(scored)
  if (clusters.length < 2) return null
  const centre = mean(scored.map(item => item.score))
  const squares = clusters.reduce((sum, scores) => sum + scores.reduce((off, score) => off + score - centre, 0) ** 2, 0)
  return Math.sqrt((squares * clusters.length) / (clusters.length - 1)) / scored.length
}
