// Cohen's kappa of two judgments of the same things: agreement beyond what their shares alone would give.
// Undefined (null) if both always give the same one answer, or if there is nothing.
export function cohensKappa<Verdict>(a: readonly Verdict[], b: readonly Verdict[]): number | null {
  return kappaWith(a, b, (one, other) => Number(one !== other))
}

// Kappa where being far apart is worse: disagreement grows with the square of the difference.
export function weightedKappa(a: readonly number[], b: readonly number[]): number | null {
  return kappaWith(a, b, (one, other) => (one - other) ** 2)
}

function kappaWith<Verdict>(
  a: readonly Verdict[],
  b: readonly Verdict[],
  apart: (one: Verdict, other: Verdict) => number,
): number | null {
  if (a.length !== b.length) throw new RangeError(`Kappa needs pairs, not ${a.length} and ${b.length} judgments.`)
  if (a.length === 0) return null
  const n = a.length
  const observed = a.reduce((sum, one, i) => sum + apart(one, b[i] as Verdict), 0) / n
  let expected = 0
  const countsOfB = countValues(b)
  for (const [one, countA] of countValues(a))
    for (const [other, countB] of countsOfB) expected += countA * countB * apart(one, other)
  expected /= n * n
  return expected === 0 ? null : 1 - observed / expected
}

export function countValues<Value>(values: readonly Value[]): Map<Value, number> {
  const counts = new Map<Value, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
