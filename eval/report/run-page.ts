import { join } from 'node:path'
import { absentAs } from '../../src/core/errors.ts'
import { readBounded } from '../../src/core/machine/read-bounded.ts'
import { askedTable } from './asked-table.ts'
import { buildFigures } from './figures/build.ts'
import { figureMarkup } from './figures/draw/svg.ts'
import { percentText } from './numbers.ts'
import { bars, calibrationChart, histogram } from './page/charts.ts'
import { h, type MarkupElement } from './page/markup.ts'
import { choice, filteredList, foldedTable, pane, paneChoice, reportFile } from './page/page.ts'
import type { RunReport } from './run-report.ts'
import { type ReadFrame, sampleKinds, sampleRow } from './sample-row.ts'
import { paperTables, reportTables, sideBySide } from './tables.ts'
import type { TaskRow } from './task-rows.ts'
import { runTitle, taskTitle } from './titles.ts'

const frameBytes = 24_000_000 // all together; the page must open on any machine

// The report of runs as one file that opens offline.
export async function runPage(reports: readonly RunReport[]): Promise<string> {
  const titles = reports.map(report => `${formatTitle(report)}: ${runTitle(report)}`)
  const budget = { left: frameBytes }
  const runs: MarkupElement[] = []
  const figures = (await buildFigures(reports)).flatMap(figureMarkup)
  const paperFigures =
    figures.length > 0 ? h('section', h('h2', 'Figures of the paper'), h('div.charts.papers', ...figures)) : undefined
  for (const [at, report] of reports.entries()) {
    const content = await runView(report, at, budget, reports.length === 1 ? paperFigures : undefined)
    runs.push(pane('run', [at], h('main', { 'data-title': titles[at] }, ...content)))
  }
  const chooser = titles.length > 1 ? [h('nav', 'Run ', paneChoice('run', 'run', titles))] : []
  const together = reports.length > 1 ? allRuns(reports, paperFigures) : []
  return reportFile('Benchmark report', titles[0] ?? 'longtake bench report', ...together, ...chooser, ...runs)
}

// What several runs fill together, above each by itself.
function allRuns(reports: readonly RunReport[], figures: MarkupElement | undefined): MarkupElement[] {
  const tables = [sideBySide(reports), ...askedTable(reports), ...paperTables(reports)].map(table =>
    foldedTable(table, false),
  )
  return [h('section', h('h2', 'All runs'), ...tables), ...(figures ? [figures] : [])]
}

function formatTitle({ run }: RunReport): string {
  return `${run.benchmark}${run.split ? `, ${run.split}` : ''}`
}

// What answered: "profile embedded, planner rules, longtake 0.1.0".
function formatMakers({ run: { profile, models, version } }: RunReport): string {
  const planner = models.planner === undefined ? '' : `planner ${models.planner}, `
  return `profile ${profile.name}, ${planner}longtake ${version}`
}

async function runView(
  report: RunReport,
  at: number,
  budget: { left: number },
  figures: MarkupElement | undefined,
): Promise<MarkupElement[]> {
  const frames = frameReader(report.folder, budget)
  const samples = await sampleList(report, frames.read)
  const frameNotes = frames.leftOut() > 0 ? [`${frames.leftOut()} frames are left out to keep this page small.`] : []
  const [about, ...tables] = reportTables(report)
  return [
    h('header', h('h1', formatTitle(report)), h('p.facts', `${runTitle(report)}; ${formatMakers(report)}`)),
    ...[...report.notes, ...frameNotes].map(note => h('p.note', note)),
    cards(report),
    charts(report, `charts-${at}`),
    ...(figures ? [figures] : []),
    ...(about ? [foldedTable({ ...about, title: 'About this run', notes: [] }, false)] : []), // its notes stand above
    ...tables.map(table => foldedTable(table, /^(Beside|The benchmark)/.test(table.title))),
    samples,
  ]
}

function cards(report: RunReport): MarkupElement {
  const { tasks, counts } = report
  const card = (label: string, value: string, below: string) =>
    h('div.card', h('div.label', label), h('div.value', value), h('div.below', below))
  const { done, samples, failed, abstained, unjudged } = counts
  return h(
    'div.cards',
    ...tasks.map(({ task, mean, low, high, n, chance }) => {
      const guessed = chance === null ? '' : `, chance ${percentText(chance)}`
      return card(
        taskTitle(report, task),
        `${percentText(mean)} %`,
        `strict; ${percentText(low)} to ${percentText(high)}, n = ${n}${guessed}`,
      )
    }),
    card('samples', String(done), done < samples ? `of ${samples}` : 'all of them'),
    card('failed', String(failed), 'count as wrong'),
    card(
      'declined',
      String(abstained),
      Object.entries(counts.causes)
        .map(([cause, count]) => `${cause} ${count}`)
        .join(', ') || 'said that the video does not tell',
    ),
    unjudged > 0 && card('not judged', String(unjudged), 'count as wrong until judged'),
  )
}

// Charts of one task at a time: three tasks by three ways of grouping would be a wall.
function charts(report: RunReport, name: string): MarkupElement {
  const { tasks, groups, calibration, lines, attribution } = report
  const titled = (task: string) => taskTitle(report, task)
  const asks = lines.flatMap(line => line.asks)
  const legend = 'per cent; black: 95 % interval, red: chance; in brackets: questions'
  const barOf = (label: string, { mean, low, high, chance, n }: TaskRow) => ({
    label,
    value: mean,
    low,
    high,
    mark: chance,
    n,
  })
  const ofTask = tasks.flatMap(({ task }, at) => {
    const ways = groups.map(({ way, rows }) => ({
      way,
      bars: rows.flatMap(({ value, tasks }) => (tasks[task] ? [barOf(value, tasks[task])] : [])),
    }))
    const sure = calibration.filter(one => one.task === task)
    return [
      ...ways
        .filter(({ bars }) => bars.length > 1 && bars.length <= 24)
        .map(one => bars(`${titled(task)} by ${one.way}`, one.bars, legend)),
      ...sure.map(({ bins, error }) =>
        calibrationChart(
          `Confidence and being right: ${task}`,
          bins,
          `dots below the line: too sure; gap ${percentText(error * 100)} points`,
        ),
      ),
    ].map(chart => pane(name, [at], chart))
  })
  const spent = [
    { what: 'Seconds', unit: 'seconds', values: asks.map(ask => ask.seconds), isShown: asks.length > 1 },
    { what: 'Tokens', unit: 'tokens', values: asks.map(({ usage }) => usage.inputTokens + usage.outputTokens) },
    { what: 'Money', unit: 'as the prices are set', values: asks.map(({ usage }) => usage.money) },
  ]
  const { counts, wrong } = attribution
  const causes = Object.entries(counts).map(([label, n]) => ({ label, value: (100 * n) / wrong, n }))
  const names = tasks.map(({ task }) => titled(task))
  return h(
    'section',
    names.length > 1 && h('p.facts', 'Charts of ', paneChoice('charts of which task', name, names)),
    h(
      'div.charts',
      tasks.length > 0 &&
        bars(
          'Score by task',
          tasks.map(row => barOf(titled(row.task), row)),
          legend,
        ),
      ...ofTask,
      ...spent
        .filter(({ values, isShown }) => isShown ?? values.some(value => value > 0))
        .map(({ what, unit, values }) => histogram(`${what} for a question`, values, unit)),
      wrong > 0 &&
        bars('Why wrong answers are wrong', causes, `per cent of ${wrong} wrong answers with gold intervals`),
    ),
  )
}

async function sampleList(report: RunReport, readFrame: ReadFrame): Promise<MarkupElement> {
  const rows = []
  for (const line of report.lines) rows.push(await sampleRow(line, report.attribution.samples, readFrame))
  const groups = [...new Set(report.lines.flatMap(line => Object.values(line.groups)))]
  const same = (values: string[]) => values.map(value => [value, value] as const)
  const match = [['kind', 'task'], ['group']]
  const words = 'words in question or answer'
  return filteredList('Samples', { rows, match, counts: [['', `of ${rows.length} samples`]], step: 50 }, [
    choice('which samples', 'kind', [['', 'all'], ...same(sampleKinds)]),
    choice('task', 'task', [['', 'any task'], ...same(report.tasks.map(({ task }) => task))]),
    choice('group', 'group', [['', 'any group'], ...same(groups.filter(value => value !== '').sort())]),
    h('input', { type: 'search', name: 'words', placeholder: words, 'aria-label': words }),
  ])
}

// Frames as addresses that hold the picture itself. The same frame of two questions counts twice; most are cited once.
function frameReader(folder: string, budget: { left: number }): { read: ReadFrame; leftOut(): number } {
  let leftOut = 0
  return {
    leftOut: () => leftOut,
    async read(file) {
      if (!/^frames\/[\w.-]+\.jpg$/.test(file)) return undefined
      const bytes = await readBounded(join(folder, file), 32e6).catch(absentAs(undefined))
      if (!bytes) return undefined
      if (budget.left < bytes.length) {
        leftOut++
        return undefined
      }
      budget.left -= bytes.length
      return `data:image/jpeg;base64,${bytes.toString('base64')}`
    },
  }
}
