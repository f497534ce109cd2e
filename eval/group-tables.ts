import type { Benchmark, Scores } from '../src/core/benchmark.ts'

export interface GroupTable {
  by: string // what is grouped by: task, category, duration
  rows: { group: string; values: Record<string, unknown> }[]
}

// The groups of a score as tables, whether they are keyed by value (one way of grouping) or by way and value (several).
export function groupTables(scores: Scores, { groupedBy }: Pick<Benchmark, 'groupedBy'>): GroupTable[] {
  const table = (by: string, groups: Record<string, unknown>): GroupTable => ({
    by,
    rows: Object.entries(groups).map(([group, values]) => ({
      group,
      values: isRecord(values) ? values : { value: values },
    })),
  })
  if (groupedBy.length === 1) return [table(groupedBy[0], scores.groups)]
  return groupedBy.map(by => table(by, scores.groups[by] ?? {}))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
