import { groupBy } from '../../../src/core/basics/group-by.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { stableJson } from '../../../src/core/json.ts'
import type { RunReport } from '../run-report.ts'
import { runTitle } from '../titles.ts'

// The best of runs that differ in one setting only, by the mean of the strict scores of the tasks; its notes say how it was chosen.
export function selectBest(reports: readonly RunReport[], setting: string): RunReport[] {
  if (reports.length < 2)
    throw new UsageError(`--best-of ${setting} must choose among several runs, and ${reports.length} is named.`, {
      hint: `Name the runs that differ in ${setting}.`,
    })
  const without = reports.find(({ run }) => run.options[setting] === undefined)
  if (without)
    throw new UsageError(`The run ${runTitle(without)} does not say what its ${setting} was.`, {
      hint: `"longtake bench show ${without.run.benchmark}" lists the settings.`,
    })
  return [...groupBy(reports, report => likeness(report, setting)).values()].map(runs => chosen(runs, setting))
}

// Everything but the setting: runs of other models, data or options are not chosen between.
function likeness({ run }: RunReport, setting: string): string {
  const { [setting]: _, variant: __, ...options } = run.options
  const { benchmark, split, limit, by, tasks, dataHash, models, judgedBy, wording } = run
  const runFacts = { benchmark, split, limit, by, tasks, dataHash, models, judgedBy, wording: wording?.sha256 }
  return stableJson({ ...runFacts, options })
}

function chosen(runs: readonly RunReport[], setting: string): RunReport {
  const scored = runs.map(report => ({ report, score: computeScore(report) }))
  const [first, ...others] = scored
  if (!first) throw new Error('No run to choose among.')
  const best = others.reduce((top, one) => (one.score > top.score ? one : top), first)
  if (runs.length === 1) return best.report
  const tried = scored
    .map(({ report, score }) => `${String(report.run.options[setting])} (${score.toFixed(1)})`)
    .join(', ')
  const note = `the best of ${setting} ${tried}, chosen on the test itself`
  const { departures, notes } = best.report
  return { ...best.report, departures: [...departures, note], notes: [...notes, `This run is ${note}.`] }
}

function computeScore({ tasks }: RunReport): number {
  return tasks.length === 0 ? 0 : tasks.reduce((sum, { mean }) => sum + mean, 0) / tasks.length
}
