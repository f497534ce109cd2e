import type { Benchmark } from '../benchmarks/benchmark.ts'
import type { ReportTable } from '../data/report-table.ts'
import type { Scores, Scoring } from '../data/sample.ts'
import { byNumbers } from './numbers.ts'

// The numbers of a scorer by one way of grouping.
export interface GroupScores {
  way: string
  values: Record<string, Record<string, number>> // by group and metric
}

export function groupScores(
  { about: { groupedBy } }: Pick<Benchmark, 'about'>,
  { groups = {} }: Partial<Scores>,
): GroupScores[] {
  const [only, ...others] = groupedBy
  const ways = only !== undefined && others.length === 0 ? { [only]: groups } : groups
  return Object.entries(ways).map(([way, of]) => ({
    way,
    values: Object.fromEntries(Object.entries(of).map(([group, row]) => [group, readNumbers(row)])),
  }))
}

function readNumbers(row: unknown): Record<string, number> {
  const cells = typeof row === 'object' && row !== null ? Object.entries(row) : []
  return Object.fromEntries(cells.filter((cell): cell is [string, number] => typeof cell[1] === 'number'))
}

// A table for each way; counts come first, and a metric that no group has is left out.
export function buildGroupTables(
  scores: readonly GroupScores[],
  scoring: Scoring,
  title: (metric: string) => string,
): ReportTable[] {
  return scores.map(({ way, values }) => {
    const rows = byNumbers(Object.entries(values), ([group]) => group)
    const names = [...new Set(rows.flatMap(([, row]) => Object.keys(row)))]
    const isCount = (name: string) => rows.every(([, row]) => Number.isInteger(row[name] ?? 0)) && counts.has(name)
    const columns = [...names.filter(isCount), ...names.filter(name => !isCount(name))]
    return {
      title: `By ${way}, ${scoring}`,
      columns: [way, ...columns.map(title)],
      rows: rows.map(([group, row]) => [group, ...columns.map(name => formatCell(row[name], isCount(name)))]),
      notes: [],
    }
  })
}

const counts = new Set(['n', 'samples', 'missing', 'failed', 'judged'])

function formatCell(value: number | undefined, isCount: boolean): string {
  return value === undefined ? '-' : value.toFixed(isCount ? 0 : 2)
}
