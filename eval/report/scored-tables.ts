import { loadBenchmark } from '../benchmarks/index.ts'
import type { ReportTable } from '../data/report-table.ts'
import type { ScoredReplies } from '../runner/score-replies.ts'
import { groupTablesOf } from './group-scores.ts'
import { scoredFile } from './papers/own-result.ts'
import { paperTable } from './papers/paper-table.ts'
import { tablesForSplit } from './papers/paper-tables.ts'

// The groups of scores and, if they are official, the published tables with them in it.
export async function scoredTables(
  { scores, split, records }: ScoredReplies,
  about: { name: string; byWords: boolean },
): Promise<ReportTable[]> {
  const benchmark = await loadBenchmark(scores.benchmark)
  const own = scoredFile(benchmark, scores, { ...about, split, records })
  const titleOf = (metric: string) => (own.byWords.includes(metric) ? `${metric} (words)` : metric)
  const published = scores.scoring === 'official' ? (benchmark.published ?? []) : []
  const papers = tablesForSplit(published, own.split).map(table => paperTable(table, [own]))
  return [...groupTablesOf(own.groups, scores.scoring, titleOf), ...papers]
}
