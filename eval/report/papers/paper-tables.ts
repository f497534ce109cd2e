import { UsageError } from '../../../src/core/errors.ts'
import { benchmarkNames, loadBenchmark } from '../../benchmarks/index.ts'
import type { PublishedTable } from '../../benchmarks/published.ts'
import { madeSplit } from '../../data/benchmark-json.ts'

// Every published table, in the order of the benchmarks.
export async function publishedTablesOfAll(): Promise<PublishedTable[]> {
  const all = await Promise.all(benchmarkNames.map(loadBenchmark))
  return all.flatMap(({ paper }) => paper?.published ?? [])
}

export async function publishedTable(id: string): Promise<PublishedTable> {
  const all = await publishedTablesOfAll()
  const table = all.find(one => one.id === id)
  if (table) return table
  throw new UsageError(`There is no published table "${id}".`, {
    hint: `Tables: ${all.map(one => one.id).join(', ')}.`,
  })
}

// Those of scores of a split, or all of a benchmark where none is of it. A set of a person's own videos is never shown beside them.
export function tablesForSplit(tables: readonly PublishedTable[], split: string | undefined): PublishedTable[] {
  if (split === madeSplit) return []
  const ofScores = tables.filter(table => table.own === 'scores')
  const fitting = ofScores.filter(table => split === undefined || table.split === split)
  return fitting.length > 0 ? fitting : ofScores
}
