import type { ReportTable } from '../data/report-table.ts'
import { mean } from '../metrics/statistics/clusters.ts'
import { compareReports, type RunDifferences } from './compare-runs.ts'
import { percentText, withSign } from './numbers.ts'
import type { Cost, RunReport } from './run-report.ts'
import { runTitle, taskTitle } from './titles.ts'

// Who answers the same questions how well, and at what price: the first run, and each other paired with it.
export function askedTable(reports: readonly RunReport[]): ReportTable[] {
  const [first, ...others] = reports
  if (!first || others.every(({ run }) => run.by === first.run.by)) return []
  const alone = reports.find(({ run }) => run.by === 'alone')
  const rows = reports.flatMap(report => {
    const compared = report === first ? undefined : pair(first, report)
    return report.tasks.map(({ task, mean: score }) => {
      const aim = report.aim.find(one => one.task === task)
      const { tokens, frames, seconds, money } = report.cost
      const isTold = tokens.total > 0
      return [
        runTitle(report),
        report.run.by,
        taskTitle(report, task),
        percentText(score),
        difference(compared, task),
        aim === undefined ? '-' : `${percentText((100 * aim.hits) / aim.n)} %`,
        isTold ? tokens.mean.toFixed(0) : '-',
        frames.mean.toFixed(1),
        seconds.mean.toFixed(1),
        money.total > 0 ? money.mean.toFixed(4) : '-',
        paysAfter(report, alone?.cost),
      ]
    })
  })
  const columns = [
    'run',
    'asked',
    'task',
    'score',
    'less the first',
    'landed',
    'tokens',
    'pictures',
    'seconds',
    'money',
  ]
  return [
    {
      title: 'Who answers',
      columns: [...columns, 'index pays after'],
      rows,
      notes: [
        'Strict scores in per cent. Less the first: over the questions that both have, with the interval from drawing videos. Tokens, pictures (a sheet of frames is one), seconds and money are means of a question; "-" where nobody states them.',
        'Index pays after: so many questions about a video until its index has saved what its stages took when they were made, beside the run by alone: in money or else tokens, if both runs state them, and in seconds.',
      ],
    },
  ]
}

function pair(first: RunReport, other: RunReport): RunDifferences | undefined {
  if (first.run.benchmark !== other.run.benchmark) return undefined
  const ids = new Set(first.lines.map(({ id }) => id))
  if (!other.lines.some(({ id }) => ids.has(id))) return undefined
  const side = (report: RunReport) => ({ name: runTitle(report), run: report.run, config: {}, lines: report.lines })
  return compareReports(side(first), side(other))
}

function difference(compared: RunDifferences | undefined, task: string): string {
  const comparison = compared?.tasks.find(one => one.task === task)
  if (!comparison) return '-'
  const { difference, low, high, clusters } = comparison.paired
  const interval = clusters > 1 ? ` (${withSign(low)} to ${withSign(high)})` : '' // one video cannot be drawn from
  return `${withSign(difference)}${interval}, n ${comparison.n}`
}

// In money or else tokens, if both are known, and in seconds.
function paysAfter({ cost, indexCosts, run }: RunReport, alone: Cost | undefined): string {
  if (!alone || run.by === 'alone' || indexCosts.length === 0) return '-'
  const units = (['money', 'tokens'] as const).filter(unit => alone[unit].total > 0 && cost[unit].total > 0)
  return [...units.slice(0, 1), 'seconds' as const]
    .map(unit => {
      const saved = alone[unit].mean - cost[unit].mean
      const spent = mean(indexCosts.map(one => (unit === 'tokens' ? one.inputTokens + one.outputTokens : one[unit])))
      return `${saved > 0 ? Math.max(1, Math.ceil(spent / saved)) : 'never'} (${unit})`
    })
    .join(', ')
}
