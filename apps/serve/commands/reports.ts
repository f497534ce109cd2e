import type { Reports } from '../../../src/core/api/report.ts'
import { once } from '../../../src/core/basics/once.ts'
import type { StoredRun } from '../../../src/store/run/run-folder.ts'

// The reports of benchmarks and ablations for the server. Nothing of an evaluation is loaded before one is asked for.
export function lazyReports(runs: () => Promise<StoredRun[]>): Reports {
  const open = once(async () => (await import('../../../eval/serve/reports.ts')).openReports(runs))
  return {
    list: async () => (await open()).list(),
    details: async (...asked) => (await open()).details(...asked),
    question: async (...asked) => (await open()).question(...asked),
    page: async report => (await open()).page(report),
  }
}
