import type { PublishedRow, PublishedTable } from '../../benchmarks/published.ts'
import { decimalsOf } from './own-numbers.ts'

// Means that a source prints and that its own cells do not give, with what they give. Printed numbers are never changed.
export function misprints({ columns, means, rows }: PublishedTable): string[] {
  return rows.flatMap(row =>
    Object.keys(means).flatMap(key => {
      const printed = row.printed[key]
      const found = printed === undefined ? undefined : recomputed(key, row, means)
      if (printed === undefined || found === undefined) return []
      const digits = decimalsOf(printed)
      // Each cell, and the mean itself, is rounded.
      if (Math.abs(found - Number(printed)) <= 1.05 * 10 ** -digits) return []
      const title = columns.find(column => column.key === key)?.title ?? key
      return [`${row.model}, ${title}: printed ${printed}, its own cells give ${found.toFixed(digits)}.`]
    }),
  )
}

// From the cells themselves: a mean of means does not inherit the misprint of one of them.
function recomputed(key: string, row: PublishedRow, means: PublishedTable['means']): number | undefined {
  const mean = means[key]
  if (!mean) return row.printed[key] === undefined ? undefined : Number(row.printed[key])
  const values = mean.of.map(part => recomputed(part, row, means))
  const weights = mean.weights ?? values.map(() => 1)
  let sum = 0
  for (const [i, value] of values.entries()) {
    if (value === undefined) return undefined
    sum += value * (weights[i] ?? 0)
  }
  return sum / weights.reduce((total, weight) => total + weight, 0)
}
