import type { PublishedTable } from '../../benchmarks/published.ts'

const usualDecimals = 2 // of a column in which the source prints nothing that can be read

export function shownAs({ rows }: PublishedTable, key: string, value: number): string {
  const printed = rows.flatMap(row => row.printed[key] ?? [])
  return value.toFixed(printed.length === 0 ? usualDecimals : Math.max(...printed.map(countDecimals)))
}

export function countDecimals(printed: string): number {
  return printed.split('.')[1]?.length ?? 0
}
