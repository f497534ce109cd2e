import { allvbTest } from './published/allvb.ts'
import { cgBenchFull, cgBenchMini } from './published/cg-bench.ts'
import { infiniBenchTest, infiniBenchUnfiltered, infiniBenchValidation } from './published/infinibench.ts'
import { longshotCategories, longshotDurations, longshotSecondVersion, longshotTasks } from './published/longshot.ts'
import type { PublishedTable } from './published/table.ts'
import { videoEvalProTest } from './published/videoeval-pro.ts'

export type { PublishedRow, PublishedTable } from './published/table.ts'

const tables: PublishedTable[] = [
  longshotCategories,
  longshotTasks,
  longshotDurations,
  longshotSecondVersion,
  cgBenchMini,
  cgBenchFull,
  allvbTest,
  infiniBenchValidation,
  infiniBenchTest,
  infiniBenchUnfiltered,
  videoEvalProTest,
]

// What has been published for a benchmark, the table to compare with first. Compare official scores with it, never strict
// ones, and only on the same split.
export function publishedFor(benchmark: string, split?: string): PublishedTable[] {
  return tables.filter(table => table.benchmark === benchmark && (split === undefined || table.split === split))
}
