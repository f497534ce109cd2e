export type Level = 'nominal' | 'ordinal' | 'interval'

type Coincidences = { values: number[]; matrix: number[][]; totals: number[]; n: number }

// Krippendorff's alpha, 1 - Do/De from the coincidence matrix. Each unit holds what its raters gave; a unit with fewer than two
// ratings can be compared with nothing and is left out. Undefined (null) where all ratings are the same or none can be compared.
export function krippendorffsAlpha(units: readonly (readonly number[])[], level: Level): number | null {
  const { values, matrix, totals, n } = coincidences(units.filter(unit => unit.length > 1))
  if (values.length < 2) return null
  const apart = distances(level, values, totals)
  let observed = 0
  let expected = 0
  for (const [c, row] of matrix.entries())
    for (const [k, count] of row.entries()) {
      const distance = apart(c, k)
      observed += count * distance
      expected += (totals[c] ?? 0) * (totals[k] ?? 0) * distance
    }
  return 1 - ((n - 1) * observed) / expected
}

// Each ordered pair of ratings of a unit counts 1/(m - 1), m being the unit's ratings.
function coincidences(units: readonly (readonly number[])[]): Coincidences {
  const values = [...new Set(units.flat())].sort((a, b) => a - b)
  const indexByValue = new Map(values.map((value, at) => [value, at]))
  const matrix = values.map(() => values.map(() => 0))
  for (const unit of units)
    for (const [i, one] of unit.entries())
      for (const [j, other] of unit.entries()) {
        const row = matrix[indexByValue.get(one) ?? 0]
        if (i !== j && row)
          row[indexByValue.get(other) ?? 0] = (row[indexByValue.get(other) ?? 0] ?? 0) + 1 / (unit.length - 1)
      }
  const totals = values.map(value => units.reduce((sum, unit) => sum + unit.filter(one => one === value).length, 0))
  return { values, matrix, totals, n: totals.reduce((sum, total) => sum + total, 0) }
}

function distances(level: Level, values: number[], totals: number[]): (c: number, k: number) => number {
  if (level === 'nominal') return (c, k) => Number(c !== k)
  if (level === 'interval') return (c, k) => ((values[c] ?? 0) - (values[k] ?? 0)) ** 2
  const middle = (at: number) => totals.slice(0, at).reduce((sum, total) => sum + total, 0) + (totals[at] ?? 0) / 2
  return (c, k) => (middle(c) - middle(k)) ** 2 // as many ratings as lie between the two, the ends by half
}
