import { columnParts, type PublishedTable } from '../../benchmarks/published.ts'
import type { OwnResult } from './own-result.ts'

// Our official number for a column of a published table, with as many decimals as the source prints there.
export function ownNumber(own: OwnResult, table: PublishedTable, key: string): string | undefined {
  const value = isOf(own, table, key) ? officialValue(own, key) : undefined
  if (value === undefined) return undefined
  return value.toFixed(Math.max(0, ...table.rows.map(row => decimalsOf(row.printed[key] ?? ''))))
}

function isOf({ benchmark }: OwnResult, table: PublishedTable, key: string): boolean {
  return benchmark === (columnParts(key).benchmark ?? table.benchmark)
}

// What a judge by words decided is never put where the judge of the protocol decides.
export function isWordsOf({ byWords }: OwnResult, key: string): boolean {
  return byWords.includes(columnParts(key).metric)
}

export function officialValue({ metrics, groups }: OwnResult, key: string): number | undefined {
  const { group, metric } = columnParts(key)
  if (group === undefined) return metrics[metric] ?? undefined
  for (const { values } of groups) {
    const value = values[group]?.[metric]
    if (value !== undefined) return value
  }
  return undefined
}

export function decimalsOf(printed: string): number {
  return printed.split('.')[1]?.length ?? 0
}
