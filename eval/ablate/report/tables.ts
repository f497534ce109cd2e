import { roleTitle } from '../../../src/core/words/role-title.ts'
import { stageTitle } from '../../../src/core/words/stage-title.ts'
import type { ReportTable } from '../../data/report-table.ts'
import { aimTable } from '../../report/aim-table.ts'
import { withSign } from '../../report/numbers.ts'
import type { GroupComparison, RowResult, StudyResult } from '../result/result.ts'
import type { Difference } from '../statistics/difference.ts'
import { fewVideos, resamples } from '../statistics/difference.ts'

// The tables of a study as text cells; the terminal, Markdown and the page print the same ones.
export function studyTables(study: StudyResult): ReportTable[] {
  return [
    ...study.tasks.map((task, at) => effects(study, task, at === 0)),
    costs(study),
    aimTable(study.rows),
    reuse(study),
    ...groups(study),
    about(study),
  ].filter(table => table.rows.length > 0)
}

export function probability(p: number): string {
  return p < 0.001 ? '< 0.001' : p.toFixed(3)
}

// Worse or better only where the corrected test says so.
export function verdict({ difference, holm }: Difference): 'worse' | 'better' | 'no difference found' {
  if (holm >= 0.05 || difference === 0) return 'no difference found'
  return difference < 0 ? 'worse' : 'better'
}

export function findDifference(row: RowResult, task: string): Difference | undefined {
  return row.differences.find(one => one.task === task)
}

function effects(study: StudyResult, task: string, first: boolean): ReportTable {
  const [base, ...rows] = study.rows
  const few = rows.some(row => (findDifference(row, task)?.videos ?? fewVideos) < fewVideos)
  const interval = (bounds: Difference['interval']) => `${withSign(bounds.low)} to ${withSign(bounds.high)}`
  const columns = [
    ...['row', 'verdict', 'n', 'score', 'difference', '95 % by video', ...(few ? ['95 % by question'] : [])],
    ...['other answer', 'better', 'worse', 'p', 'p (Holm)', 'p by video', 'n needed'],
  ]
  const padded = (cells: string[]) => columns.map((_, at) => cells[at] ?? '')
  return {
    title: `${study.benchmark}${study.split ? `, ${study.split}` : ''}: ${task}`,
    columns,
    rows: [
      padded([base.name, '', String(base.samples), score(base, task)]),
      ...rows.map(row => {
        const taskDifference = findDifference(row, task)
        const notDone = row.finished ? '' : '(not done)'
        if (!taskDifference) return padded([row.name, notDone, '0', '-'])
        return [
          row.name,
          `${verdict(taskDifference)} ${notDone}`.trim(),
          String(taskDifference.n),
          taskDifference.row.toFixed(1),
          withSign(taskDifference.difference),
          interval(taskDifference.interval),
          ...(few ? [interval(taskDifference.questionInterval)] : []),
          String(taskDifference.changed),
          String(taskDifference.better),
          String(taskDifference.worse),
          probability(taskDifference.p),
          probability(taskDifference.holm),
          probability(taskDifference.byVideo.p),
          taskDifference.needed === null ? '-' : String(taskDifference.needed.clustered),
        ]
      }),
    ],
    notes: [
      ...(first
        ? [
            `Strict scores, per cent; differences in points, row less base, over the same questions. Intervals: paired bootstrap, ${resamples} draws, seed ${study.seed}; by video draws whole videos.`,
            'p: exact McNemar where every score is 0 or 1, else a permutation test (signs of the differences), two-sided. Holm: corrected over the rows of this table; the verdict goes by it, at 0.05. By video: the signs of whole videos flipped.',
            'Other answer: how many are not the same, right or wrong. To see what one policy changes, read its row in --without policies.',
            'n needed: questions for a power of 80 % at 5 % to see the difference that was seen, uncorrected, with questions of one video hanging together as here.',
            ...study.notes,
          ]
        : []),
    ],
  }
}

function score(row: RowResult, task: string): string {
  return row.scores[task] === undefined ? '-' : row.scores[task].toFixed(1)
}

function costs({ rows, tasks }: StudyResult): ReportTable {
  return {
    title: 'What a question took',
    columns: [
      'row',
      'seconds',
      'model calls',
      'tokens',
      'frames',
      ...tasks.map(task => `tokens per right answer, ${task}`),
      'money',
      'indexing, s in all',
    ],
    rows: rows
      .filter(row => row.cost.questions > 0)
      .map(row => [
        row.name,
        row.cost.seconds.toFixed(2),
        row.cost.calls.toFixed(1),
        row.cost.tokens.toFixed(0),
        row.cost.frames.toFixed(1),
        ...tasks.map(task => tokensPerRight(row, task)),
        row.cost.money === 0 ? '0' : row.cost.money.toPrecision(3),
        row.stages.seconds.toFixed(1),
      ]),
    notes: ['Means. A reply taken from another row counts with the time and the tokens that it took there.'],
  }
}

function tokensPerRight({ cost, scores }: RowResult, task: string): string {
  const score = scores[task] ?? 0
  return score > 0 ? ((100 * cost.tokens) / score).toFixed(0) : '-'
}

function reuse({ rows }: StudyResult): ReportTable {
  return {
    title: 'What was made and what was there',
    columns: ['row', 'stages made', 'stages reused', 'calls made', 'calls reused', 'made by role'],
    rows: rows
      .filter(row => row.samples > 0)
      .map(row => [
        row.name,
        joinCounts(maxByTitle(row.stages.made), ', ') || '-',
        joinCounts(maxByTitle(row.stages.reused), ', ') || '-',
        String(row.calls.made),
        String(row.calls.reused),
        Object.entries(row.calls.roles)
          .map(([role, { made }]) => `${roleTitle(role)} ${made}`)
          .join(', ') || '-',
      ]),
    notes: [
      'Stages: how many videos. A stage counts as made by the first row that needs it, unless it was there before.',
    ],
  }
}

// Several stages may do one thing, each for all videos.
function maxByTitle(counts: Record<string, number>): Record<string, number> {
  const titled: Record<string, number> = {}
  for (const [stage, count] of Object.entries(counts))
    titled[stageTitle(stage)] = Math.max(titled[stageTitle(stage)] ?? 0, count)
  return titled
}

// "reading frames 2, reading text 1"
export function joinCounts(counts: Record<string, number>, between: string): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(between)
}

const maxValues = 24

function groups({ rows, tasks }: StudyResult): ReportTable[] {
  const ways = [...new Set(rows.flatMap(row => row.groups.map(group => group.way)))]
  return ways.flatMap(way =>
    tasks.flatMap(task => {
      const { values, cellsOf } = groupCells(rows, task, way)
      if (values.length < 2 || values.length > maxValues) return []
      const cellText = (cell: GroupComparison | undefined, at: number) => {
        if (!cell) return '-'
        return at === 0 ? `${cell.base.toFixed(0)} % of ${cell.n}` : withSign(cell.row - cell.base)
      }
      return [
        {
          title: `${task} by ${way}: difference to the base`,
          columns: ['row', ...values],
          rows: rows.map((row, at) => [row.name, ...cellsOf(row).map(cell => cellText(cell, at))]),
          notes: [],
        },
      ]
    }),
  )
}

// One task by one way of grouping: the values of all rows, and the cells of a row in their order.
export function groupCells(rows: readonly RowResult[], task: string, way: string) {
  const inTask = (row: RowResult) => row.groups.filter(group => group.way === way && group.task === task)
  const values = [...new Set(rows.flatMap(row => inTask(row).map(group => group.value)))]
  return { values, cellsOf: (row: RowResult) => values.map(value => inTask(row).find(group => group.value === value)) }
}

function about({ rows }: StudyResult): ReportTable {
  return {
    title: 'The rows',
    columns: ['row', 'settings in which it differs', 'notes'],
    rows: rows.slice(1).map(row => [row.name, row.settings.join('; ') || '-', row.notes.join('; ') || '-']),
    notes: [],
  }
}
