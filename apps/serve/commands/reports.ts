import { fromPackage, isMissing } from '../../../src/cli/packages.ts'
import type { Reports } from '../../../src/core/api/report.ts'
import { once } from '../../../src/core/basics/once.ts'
import { UsageError } from '../../../src/core/errors.ts'
import type { StoredRun } from '../../../src/store/run/run-folder.ts'

const loadReports = () => fromPackage('longtake-eval', 'A report of an evaluation', () => import('longtake-eval'))

// The reports of benchmarks and ablations for the server. Nothing of an evaluation is loaded before one is asked for.
export function lazyReports(runs: () => Promise<StoredRun[]>): Reports {
  const open = once(async () => (await loadReports()).openReports(runs))
  return {
    list: () => open().then(reports => reports.list(), noneIfMissing),
    details: async (...asked) => (await open()).details(...asked),
    question: async (...asked) => (await open()).question(...asked),
    page: async report => (await open()).page(report),
  }
}

// Without the package of evaluations the server lists none, and does the rest of its work.
function noneIfMissing(error: unknown): [] {
  if (error instanceof UsageError && isMissing('longtake-eval', error.cause)) return []
  throw error
}
