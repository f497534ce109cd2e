import type { PublishedRow, PublishedTable } from '../../benchmarks/published.ts'
import { countDecimals } from './printed-decimals.ts'

// Means and differences that a source prints and that its own cells do not give, with what they give. Printed numbers are never
// changed.
export function misprints(table: PublishedTable): string[] {
  return [...wrongMeans(table), ...wrongDifferences(table)]
}

function wrongMeans({ columns, means, rows }: PublishedTable): string[] {
  return rows.flatMap(row =>
    Object.keys(means).flatMap(key => {
      const printed = row.printed[key]
      const recomputedMean = printed === undefined ? undefined : recomputed(key, row, means)
      if (printed === undefined || recomputedMean === undefined) return []
      const digits = countDecimals(printed)
      // Each cell, and the mean itself, is rounded.
      if (Math.abs(recomputedMean - Number(printed)) <= 1.05 * 10 ** -digits) return []
      return [
        `${row.model}, ${findTitle(columns, key)}: printed ${printed}, its own cells give ${recomputedMean.toFixed(digits)}.`,
      ]
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

// A difference is to the last row above of the same model that prints none; in a row that has such cells itself, to the cell before.
function wrongDifferences({ columns, settings, rows }: PublishedTable): string[] {
  const keys = columns.map(({ key }) => key)
  return rows.flatMap((row, at) => {
    const above = rows.slice(0, at).findLast(other => other.model === row.model && isBase(other))
    return Object.entries(row.differences).flatMap(([key, printed]) => {
      const from = above ? above.printed[key] : row.printed[keys[keys.indexOf(key) - 1] ?? '']
      const change = Number(row.printed[key]) - Number(from)
      if (Math.abs(change - Number(printed)) < 0.5 * 10 ** -countDecimals(printed)) return []
      const name = [row.model, ...settings.map(setting => row.settings[setting.key])].join(' ')
      const signedText = `${change > 0 ? '+' : ''}${change.toFixed(countDecimals(printed))}`
      return [`${name}, ${findTitle(columns, key)}: printed difference ${printed}, its own cells give ${signedText}.`]
    })
  })
}

function isBase({ differences }: PublishedRow): boolean {
  return Object.keys(differences).length === 0
}

function findTitle(columns: PublishedTable['columns'], key: string): string {
  return columns.find(column => column.key === key)?.title ?? key
}
