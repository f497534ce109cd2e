// Cohen's kappa of two yes/no judgments of the same things: agreement beyond what their shares alone would give.
// Undefined (null) where one answer is all that either gives, and where there is nothing.
export function cohensKappa(a: readonly boolean[], b: readonly boolean[]): number | null {
  if (a.length !== b.length) throw new RangeError(`Kappa needs pairs, not ${a.length} and ${b.length} judgments.`)
  if (a.length === 0) return null
  const n = a.length
  const yes = (side: readonly boolean[]) => side.filter(Boolean).length
  const agreed = a.filter((judgment, i) => judgment === b[i]).length / n
  const byChance = (yes(a) * yes(b) + (n - yes(a)) * (n - yes(b))) / (n * n)
  return byChance === 1 ? null : (agreed - byChance) / (1 - byChance)
}
