import { fetchDataSet } from '../../src/app/data-set/fetch-data-set.ts'
import { type DataPlan, planFetch } from '../../src/app/data-set/plan-fetch.ts'
import type { FetchWork, PullProgress } from '../../src/app/models/manager/fetch-file.ts'
import type { DataPart } from '../benchmarks/data-guide.ts'
import { loadBenchmark } from '../benchmarks/index.ts'
import { wantedParts } from './data-wish.ts'

export interface FetchRequest {
  benchmark: string
  what: readonly DataPart[]
  split?: string
  revision?: string
  to: string
}

export interface DataFetch {
  plan: DataPlan
  videos: string // how they are handed out
  elsewhere?: string
  notes: string[] // to be known before it is fetched
  carryOut(): Promise<void>
}

export type DataWork = Pick<FetchWork, 'host' | 'retrySeconds'> & { onProgress(progress: PullProgress): void }

// What a fetch of a benchmark's data would bring; nothing is fetched before it is carried out.
export async function openFetch(
  { benchmark, what, split, ...where }: FetchRequest,
  work: DataWork,
): Promise<DataFetch> {
  const { guide, patterns, notes } = wantedParts(await loadBenchmark(benchmark), what, split)
  const { dataset, terms, videos, elsewhere } = guide
  const plan = await planFetch({ dataset, terms, patterns, ...where }, work)
  const changes = plan.changes.length > 0 ? [changedText(plan)] : []
  return {
    ...{ plan, videos, elsewhere, notes: [...notes, ...changes] },
    async carryOut() {
      await fetchDataSet(plan, work)
    },
  }
}

function changedText({ dataset, lock, changes }: DataPlan): string {
  const more = changes.length > 5 ? `; and ${changes.length - 5} more` : ''
  const at = lock?.commit.slice(0, 7)
  return `${dataset} has changed since it was pinned at ${at}: ${changes.slice(0, 5).join('; ')}${more}. It stays at ${at}; --revision ${lock?.revision} goes on to the new one.`
}
