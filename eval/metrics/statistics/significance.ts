// Two-sided exact McNemar test: of the questions that only one of two runs got right, is the split more uneven than a
// fair coin would give? `onlyA` and `onlyB` count them.
export function mcNemarExact(onlyA: number, onlyB: number): number {
  const n = onlyA + onlyB
  if (n === 0) return 1
  const fewer = Math.min(onlyA, onlyB)
  let tail = 0
  for (let k = 0; k <= fewer; k++) tail += Math.exp(logChoose(n, k) - n * Math.LN2)
  return Math.min(1, 2 * tail)
}

// Holm's step-down correction of several p values at once, in the order they came.
export function holm(values: readonly number[]): number[] {
  const adjusted = [...values]
  let highest = 0
  for (const [rank, [index, value]] of [...values.entries()].sort(([, a], [, b]) => a - b).entries()) {
    highest = Math.max(highest, Math.min(1, value * (values.length - rank)))
    adjusted[index] = highest
  }
  return adjusted
}

// One-sided exact binomial test: how often would chance alone get `hits` of `n` or more?
export function binomialAtLeast(hits: number, n: number, chance: number): number {
  if (hits <= 0 || chance >= 1) return 1
  if (hits > n || chance <= 0) return 0
  const odds = Math.log(chance) - Math.log1p(-chance)
  let term = logChoose(n, hits) + hits * Math.log(chance) + (n - hits) * Math.log1p(-chance)
  let tail = 0
  for (let k = hits; k <= n; k++) {
    tail += Math.exp(term)
    term += Math.log(n - k) - Math.log(k + 1) + odds
  }
  return Math.min(1, tail)
}

function logChoose(n: number, k: number): number {
  let sum = 0
  for (let i = 1; i <= k; i++) sum += Math.log(n - k + i) - Math.log(i)
  return sum
}
