import { countPhrase } from '../../src/core/words/counted.ts'
import { formatScore, type ReportTable } from '../data/report-table.ts'
import type { Scores } from '../data/sample.ts'
import type { SampleLine } from '../data/sample-line.ts'
import { causes } from '../metrics/attribution.ts'
import { mean } from '../metrics/statistics/clusters.ts'
import { aimTable } from './aim-table.ts'
import { askedTable } from './asked-table.ts'
import { availabilityTables } from './availability.ts'
import { epochTable } from './epochs.ts'
import { buildGroupTables } from './group-scores.ts'
import { departures } from './papers/departures.ts'
import { filledTable } from './papers/filled-table.ts'
import { ownResult } from './papers/own-result.ts'
import { policyTable } from './policy-table.ts'
import type { RunReport } from './run-report.ts'
import type { TaskRow } from './task-rows.ts'
import { metricTitle, notJudged, runTitle, taskTitle } from './titles.ts'

const costColumns = ['model calls', 'tokens', 'frames', 'tokens per right answer']

export function reportTables(report: RunReport): ReportTable[] {
  return [...runTables(report), ...paperTables([report])]
}

// Several runs: each by itself, and all of them in the published tables.
export function buildReportTables(reports: readonly RunReport[]): ReportTable[] {
  const [only, ...others] = reports
  if (only && others.length === 0) return reportTables(only)
  return [sideBySide(reports), ...askedTable(reports), ...reports.flatMap(runTables), ...paperTables(reports)]
}

export function paperTables(reports: readonly RunReport[]): ReportTable[] {
  const tables = new Map(reports.flatMap(report => report.published.map(table => [table.id, table] as const)))
  return [...tables.values()].map(table => filledTable(table, reports))
}

function runTables(report: RunReport): ReportTable[] {
  return [
    summary(report),
    taskTable(report),
    ...(report.epochs ? [epochTable(report.epochs)] : []),
    ...people(report),
    ...availabilityTables(report.available, task => taskTitle(report, task)),
    metrics(report),
    ...groups(report),
    ...buildGroupTables(report.official, 'official', metric => metricTitle(report, metric)),
    aimTable([report]),
    policyTable([{ lines: report.lines }]),
    attribution(report),
    attributionByGroup(report),
    cost(report),
  ].filter(table => table.rows.length > 0)
}

// Several runs of one benchmark side by side.
export function sideBySide(reports: readonly RunReport[]): ReportTable {
  const titled = (report: RunReport) => report.tasks.map(row => [taskTitle(report, row.task), row] as const)
  const names = [...new Set(reports.flatMap(report => titled(report).map(([title]) => title)))]
  return {
    title: 'Runs',
    columns: ['run', 'profile', 'samples', 'failed', ...names, ...costColumns],
    rows: reports.map(report => [
      runTitle(report),
      report.run.profile.name,
      String(report.counts.done),
      String(report.counts.failed),
      ...names.map(name => withInterval(new Map(titled(report)).get(name))),
      ...costCells(report.lines, report.tasks[0]?.task),
    ]),
    notes: [`Calls, tokens and frames are means of a question of ${names[0] ?? 'a task'}.`],
  }
}

function summary(report: RunReport): ReportTable {
  const { run, counts, notes } = report
  const videos = new Set(report.lines.map(line => line.video)).size
  const models = Object.entries(run.models).filter(([, backend]) => backend !== 'off')
  return {
    title: `${run.benchmark}${run.split ? `, ${run.split}` : ''}`,
    columns: ['', ''],
    rows: [
      ['run', runTitle(report)],
      ['started', run.started],
      ['longtake', `${run.version}, profile ${run.profile.name}`],
      ['models', models.map(([role, backend]) => `${role} ${backend}`).join(', ')],
      ['judge', report.judgeCheck === undefined ? 'none' : `${run.judgedBy}; ${report.judgeCheck}`],
      ['samples', `${counts.done} of ${counts.samples}, on ${countPhrase(videos, 'video')}`],
      ['failed', String(counts.failed)],
      ['not judged', String(counts.unjudged)],
      ['declined', formatDeclined(counts)],
    ],
    notes,
  }
}

// "7: absent 4, not-looked 3".
export function formatDeclined({ abstained, causes }: RunReport['counts']): string {
  const each = Object.entries(causes).map(([cause, count]) => `${cause} ${count}`)
  return each.length > 0 ? `${abstained}: ${each.join(', ')}` : String(abstained)
}

export function taskTable(report: RunReport): ReportTable {
  const { tasks, lines } = report
  const countOf = (task: string) => lines.filter(line => line.grades[task]).length
  return {
    title: 'By task, strictly',
    columns: ['task', 'n', 'score', '95 % interval', 'standard error', 'chance', 'not judged', ...costColumns],
    rows: [
      ...tasks.map(row => [
        taskTitle(report, row.task),
        String(row.n),
        formatScore(row.mean),
        `${formatScore(row.low)} to ${formatScore(row.high)}`,
        row.standardError === null ? '-' : formatScore(row.standardError),
        row.chance === null ? '-' : formatScore(row.chance),
        String(row.unscored),
        ...costCells(lines, row.task),
      ]),
      ...report.notJudged.map(task => [
        task,
        String(countOf(task)),
        notJudged,
        '-',
        '-',
        '-',
        String(countOf(task)),
        ...costCells(lines, task),
      ]),
    ],
    notes: [
      'Per cent. Questions on one video hang together: the standard error is clustered by video. Calls, tokens and frames are means of a question.',
      tasks.some(row => row.interval === 'questions alone')
        ? 'There are too few videos to draw from, so the intervals are of the questions alone (Wilson): too narrow.'
        : 'The intervals come from drawing whole videos (bootstrap).',
    ],
  }
}

// Only of a made set: published rows are of other questions.
function people(report: RunReport): ReportTable[] {
  const scores = report.people
  if (!scores) return []
  const names = [...new Set([...report.tasks.map(row => row.task), ...Object.keys(scores)])]
  const runs = new Map(report.tasks.map(row => [row.task, row]))
  return [
    {
      title: 'Beside people',
      columns: ['', ...names.map(name => taskTitle(report, name))],
      rows: [
        [runTitle(report), ...names.map(name => withInterval(runs.get(name)))],
        ['people, made set', ...names.map(name => withInterval(scores[name]))],
      ],
      notes: [
        `People: first answers of those who reviewed the set, before they saw the key, to questions that are in it as they saw them (${names
          .flatMap(name => (scores[name] ? [`${name} ${scores[name].n}`] : []))
          .join(', ')}). They saw the whole video.`,
      ],
    },
  ]
}

function metrics(report: RunReport): ReportTable {
  const { scores, published, judgedMetrics } = report
  const ownScores = ownResult(report)
  const [table] = published // none of a made set
  const reasons = table ? departures(ownScores, table).grave : ownScores.incomplete
  const cell = (of: Scores | undefined, name: string) =>
    number(of?.metrics[name], of && of.unjudged.length > 0 && judgedMetrics.includes(name) ? notJudged : '-')
  const names = scores ? Object.keys(scores.strict.metrics) : []
  return {
    title: "The benchmark's own metrics",
    columns: ['metric', 'strict', 'official'],
    rows: names
      .map(name => [metricTitle(report, name), cell(scores?.strict, name), cell(scores?.official, name)])
      .filter(([, strict, official]) => strict !== '-' || official !== '-'),
    notes: [
      `Official equals the released scorer, denominators included${table && reasons.length === 0 ? '; compare that column with published numbers' : ''}.`,
      ...(table && reasons.length > 0 ? [`No number here stands beside a published one: ${reasons.join('; ')}.`] : []),
    ],
  }
}

function groups(report: RunReport): ReportTable[] {
  const { groups, tasks } = report
  const names = tasks.map(row => row.task)
  return groups.map(({ way, rows }) => ({
    title: `By ${way}`,
    columns: [way, 'n', ...names.map(name => taskTitle(report, name))],
    rows: rows.map(row => [row.value, String(row.n), ...names.map(name => withInterval(row.tasks[name]))]),
    notes: [],
  }))
}

function attribution({ attribution: { wrong, counts, withoutIntervals } }: RunReport): ReportTable {
  return {
    title: 'Why wrong answers are wrong',
    columns: ['cause', 'answers', 'share'],
    rows:
      wrong === 0
        ? []
        : causes.map(cause => [cause, String(counts[cause]), `${formatScore((100 * counts[cause]) / wrong)} %`]),
    notes: [`${wrong} wrong answers with gold intervals; ${withoutIntervals} without any cannot be attributed.`],
  }
}

// Where in the data answers are lost, and on which part of the way.
function attributionByGroup({ attribution: { groups } }: RunReport): ReportTable {
  const shownCauses = causes.filter(cause => Object.values(groups).some(counts => counts[cause]))
  const rows = Object.entries(groups).map(([group, counts]) => {
    const all = Object.values(counts).reduce((sum, count) => sum + (count ?? 0), 0)
    return [group, String(all), ...shownCauses.map(cause => String(counts[cause] ?? 0))]
  })
  return {
    title: 'Why wrong answers are wrong, by group',
    columns: ['', 'wrong', ...shownCauses],
    rows: rows.length > 1 ? rows : [],
    notes: [],
  }
}

function cost({ cost }: RunReport): ReportTable {
  const row = (name: string, { total, mean, median, p90, most }: (typeof cost)['seconds'], digits: number) => [
    name,
    ...[total, mean, median, p90, most].map(value => value.toFixed(digits)),
  ]
  return {
    title: 'What a question took',
    columns: ['', 'in all', 'mean', 'median', '90 %', 'most'],
    rows:
      cost.questions === 0
        ? []
        : [
            row('seconds', cost.seconds, 2),
            row('model calls', cost.calls, 1),
            row('tokens', cost.tokens, 0),
            row('frames shown', cost.frames, 0),
            ...(cost.money.total > 0 ? [row('money', cost.money, 4)] : []),
          ],
    notes: ['Indexing is not in it.'],
  }
}

// What the answers to a task took, means of a question, as the cells of these columns.
function costCells(lines: readonly SampleLine[], task = ''): string[] {
  const answers = lines.flatMap(({ asks, grades }) => {
    const ask = asks.find(one => one.tasks.includes(task) && one.error === undefined)
    return ask ? [{ ...ask.usage, score: Math.max(0, grades[task]?.score ?? 0) }] : []
  })
  if (answers.length === 0) return costColumns.map(() => '-')
  const tokens = mean(answers.map(({ inputTokens, outputTokens }) => inputTokens + outputTokens))
  const right = mean(answers.map(({ score }) => score))
  return [
    mean(answers.map(({ calls }) => calls)).toFixed(1),
    tokens.toFixed(0),
    mean(answers.map(({ frames }) => frames)).toFixed(1),
    right === 0 ? '-' : (tokens / right).toFixed(0),
  ]
}

function withInterval(row: (Partial<Pick<TaskRow, 'low' | 'high'>> & { mean: number }) | undefined): string {
  if (!row) return '-'
  const { mean, low, high } = row
  return low === undefined || high === undefined
    ? formatScore(mean)
    : `${formatScore(mean)} (${formatScore(low)}-${formatScore(high)})`
}

function number(value: number | null | undefined, without: string): string {
  return value === null || value === undefined ? without : value.toFixed(2)
}
