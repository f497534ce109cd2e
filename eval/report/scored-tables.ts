import { loadBenchmark } from '../benchmarks/index.ts'
import type { ReportTable } from '../data/report-table.ts'
import type { ScoredReplies } from '../runner/score-replies.ts'
import { buildGroupTables } from './group-scores.ts'
import { scoredFile } from './papers/own-result.ts'
import { paperTable } from './papers/paper-table.ts'
import { tablesForSplit } from './papers/paper-tables.ts'

// The groups of scores and, if they are official, the published tables with them in it.
export async function scoredTables(
  { scores, split, records }: ScoredReplies,
  about: { name: string; byWords: boolean },
): Promise<ReportTable[]> {
  const benchmark = await loadBenchmark(scores.benchmark)
  const ownFile = scoredFile(benchmark, scores, { ...about, split, records })
  const titleOf = (metric: string) => (ownFile.byWords.includes(metric) ? `${metric} (words)` : metric)
  const published = scores.scoring === 'official' ? (benchmark.paper?.published ?? []) : []
  const papers = tablesForSplit(published, ownFile.split).map(table => paperTable(table, [ownFile]))
  return [...buildGroupTables(ownFile.groups, scores.scoring, titleOf), ...papers]
}
