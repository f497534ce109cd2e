import { withSign } from '../../report/numbers.ts'
import { costChart, type ForestRow, forestPlot } from '../../report/page/charts.ts'
import { h, type MarkupElement } from '../../report/page/markup.ts'
import { choice, filteredList, foldedTable, pane, paneChoice, reportFile } from '../../report/page/page.ts'
import type { LinesOf } from '../result/read-result.ts'
import type { RowResult, StudyResult } from '../result/result.ts'
import { fewVideos } from '../statistics/difference.ts'
import { flipRow } from './flip-row.ts'
import { findDifference, groupCells, studyTables, verdict } from './tables.ts'

const maxFlips = 400

// The page of a study as one file that opens offline.
export function studyPage(study: StudyResult, linesOf: LinesOf): string {
  const { benchmark, split, name, notes, tasks } = study
  const title = `${benchmark}${split ? `, ${split}` : ''}`
  const facts = `${study.rows.length} rows, ${study.samples} questions, ${study.design}, seed ${study.seed}, started ${study.started}`
  const content = h(
    'main.study',
    h('header', h('h1', title), h('p.facts', `${name}: ${facts}`)),
    ...notes.map(note => h('p.note', note)),
    charts(study),
    ...study.sweeps.map(sweepChart),
    ...studyTables(study).map((table, at) =>
      foldedTable({ ...table, notes: table.notes.filter(note => !notes.includes(note)) }, at < tasks.length),
    ),
    ...heatMaps(study),
    flipList(study, linesOf),
  )
  return reportFile('Ablation', `${title}: ${name}`, content)
}

function charts({ rows, tasks }: StudyResult): MarkupElement {
  const costs = (['seconds', 'calls', 'tokens', 'frames', 'money'] as const).filter(cost =>
    rows.some(row => row.cost[cost] > 0),
  )
  const shownCosts = costs.length > 0 ? costs : (['seconds'] as const)
  return h(
    'section',
    h('div.filters', paneChoice('task of the charts', 'charts', tasks), paneChoice('cost', 'charts', shownCosts)),
    h(
      'div.charts',
      ...tasks.map((task, at) => pane('charts', [at, '*'], drawForestPlot(rows, task))),
      ...tasks.flatMap((task, at) =>
        shownCosts.map((cost, which) => pane('charts', [at, which], drawCosts(rows, task, cost))),
      ),
    ),
  )
}

function sweepChart({ setting, task, points }: StudyResult['sweeps'][number]): MarkupElement {
  const dots = points.map(({ value, score, row }, i) => ({ name: row, number: i + 1, score, cost: value }))
  return costChart(`${task} by ${setting}`, dots, setting, `per cent at each value of ${setting}`, setting)
}

function drawForestPlot(rows: readonly RowResult[], task: string): MarkupElement {
  const rowDifferences = rows.flatMap(row => {
    const taskDifference = findDifference(row, task)
    return taskDifference ? [{ row, one: taskDifference }] : []
  })
  const few = rowDifferences.some(({ one }) => one.videos < fewVideos)
  const forestRows = rowDifferences.map(({ row: { name, finished }, one }): ForestRow => {
    const verdictText = verdict(one)
    const points = `${withSign(one.difference)} points on ${one.n} questions, p (Holm) ${one.holm.toFixed(3)}`
    return {
      label: `${name}${finished ? '' : ' (not done)'}`,
      difference: one.difference,
      kind: verdictText === 'no difference found' ? 'even' : verdictText,
      thick: one.interval,
      ...(few && { thin: one.questionInterval }),
      detail: `${name}: ${points}: ${verdictText}`,
    }
  })
  const thin = few ? '; thin line and figures: questions drawn within each video' : ''
  return forestPlot(
    `Difference to the base: ${task}`,
    forestRows,
    `points; thick line: 95 % interval, whole videos drawn${thin}; red and green: significant (Holm)`,
  )
}

function drawCosts(rows: readonly RowResult[], task: string, cost: keyof RowResult['cost']): MarkupElement {
  const points = rows.flatMap(({ name, scores: { [task]: score }, cost: costs }, number) =>
    score === undefined ? [] : [{ name, number, score, cost: costs[cost] }],
  )
  const legend = 'per cent, over what a question takes; up and to the left is better'
  return costChart(`Score against cost: ${task}`, points, cost, legend)
}

function heatMaps({ rows, tasks }: StudyResult): MarkupElement[] {
  const ways = [...new Set(rows.flatMap(row => row.groups.map(group => group.way)))]
  if (ways.length === 0) return []
  const choices = [paneChoice('task of the heat map', 'heat', tasks), paneChoice('grouped by', 'heat', ways)]
  const maps = tasks.flatMap((task, at) =>
    ways.map((way, which) => pane('heat', [at, which], heatMap(rows, task, way))),
  )
  return [
    h(
      'section',
      h('h2', 'By group'),
      h('p.facts', 'The base in per cent; below it the difference to the base in points.'),
      h('div.filters', ...choices),
      h('div.paper', ...maps),
    ),
  ]
}

function heatMap(rows: readonly RowResult[], task: string, way: string): MarkupElement {
  const { values, cellsOf } = groupCells(rows, task, way)
  const body = rows.map((row, at) =>
    h(
      'tr',
      h('th', row.name),
      ...cellsOf(row).map((cell, column) => {
        if (!cell) return h('td')
        if (at === 0) return h('td.heat.base', cell.base.toFixed(0), h('small', ` of ${cell.n}`))
        const change = cell.row - cell.base
        const level = Math.min(4, Math.ceil(Math.abs(change) / 20))
        const kind = Math.abs(change) <= 0.049 ? 'none' : `${change < 0 ? 'down' : 'up'}${level}`
        const scores = `${cell.row.toFixed(1)} % of ${cell.n}, base ${cell.base.toFixed(1)} %`
        return h(
          `td.heat.${kind}`,
          { title: `${row.name}, ${values[column]}: ${scores}` },
          withSign(change).replace(/\.0$/, ''),
        )
      }),
    ),
  )
  const head = h('thead', h('tr', h('td'), ...values.map(value => h('th', value))))
  return h('div.wide', h('table.heatmap', head, h('tbody', ...body)))
}

function flipList({ rows, tasks }: StudyResult, linesOf: LinesOf): MarkupElement {
  const linesById = (row: RowResult) => new Map(linesOf(row.id).map(line => [line.id, line]))
  const [base, ...others] = rows
  const before = linesById(base)
  const flips = others.flatMap(row => {
    const after = linesById(row)
    return row.flips.flatMap(flip => {
      const [a, b] = [before.get(flip.id), after.get(flip.id)]
      return a && b ? [{ row, flip, before: a, after: b }] : []
    })
  })
  const shownFlips = flips.slice(0, maxFlips)
  const hiddenFlips = flips.length - shownFlips.length
  const leftOut = `${hiddenFlips} more are left out to keep this page small; they are in results.json.`
  const flipped = others.filter(row => shownFlips.some(flip => flip.row === row))
  const counts: [string, string][] = [
    ['2:lost', 'now wrong'],
    ['2:gained', 'now right'],
  ]
  return filteredList(
    'Questions that flipped',
    { rows: shownFlips.map(flipRow), match: [['row'], ['task'], ['direction']], counts, step: 40 },
    [
      choice('row', 'row', [['', 'any row'], ...flipped.map(({ id, name }) => [id, name] as const)]),
      choice('task', 'task', [['', 'any task'], ...tasks.map(task => [task, task] as const)]),
      choice('direction', 'direction', [
        ['', 'both directions'],
        ['lost', 'now wrong'],
        ['gained', 'now right'],
      ]),
    ],
    hiddenFlips > 0 ? h('p.note', leftOut) : undefined,
  )
}
