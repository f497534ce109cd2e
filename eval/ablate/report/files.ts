import { type CsvCell, csvText } from '../../../src/core/words/csv-cell.ts'
import { markdown } from '../../data/report-table.ts'
import { aimTable } from '../../report/aim-table.ts'
import { withSign } from '../../report/numbers.ts'
import { latexTable } from '../../report/papers/latex.ts'
import { tex } from '../../report/papers/tex.ts'
import type { LinesOf, ReadStudy } from '../result/read-result.ts'
import { pairLines, type RowResult, type StudyResult } from '../result/result.ts'
import type { StudyFiles } from '../result/study-files.ts'
import { type Difference, fewVideos } from '../statistics/difference.ts'
import { studyPage } from './study-page.ts'
import { findDifference, joinCounts, probability, studyTables, verdict } from './tables.ts'

type ReportForm = 'html' | 'md' | 'tex' | 'csv' | 'questions'

// A study in the form that is asked for.
export function writtenStudy(form: ReportForm, study: StudyResult, linesOf: LinesOf): string {
  switch (form) {
    case 'html':
      return studyPage(study, linesOf)
    case 'md':
      return markdown(`longtake bench ablate: ${study.benchmark}`, studyTables(study))
    case 'tex':
      return latex(study)
    case 'csv':
      return rowsCsv(study)
    case 'questions':
      return questionsCsv(study, linesOf)
  }
}

// Writes the reports of a study into its folder: results.json holds everything, the other files show it.
export async function writeReports(files: StudyFiles, { result, linesOf }: ReadStudy): Promise<void> {
  await files.json('results.json', result)
  await files.text('table.md', writtenStudy('md', result, linesOf))
  await files.text('table.tex', writtenStudy('tex', result, linesOf))
  await files.text('rows.csv', writtenStudy('csv', result, linesOf))
  await files.text('questions.csv', writtenStudy('questions', result, linesOf))
  await files.text('report.html', writtenStudy('html', result, linesOf))
  if (result.rows.every(row => row.finished))
    await files.json('summary.json', { state: 'finished', benchmark: result.benchmark, rows: result.rows.length })
}

// The table of a paper: a row each, scores of every task with the difference to the base, its interval and its mark; and, if places
// are known, where the evidence landed. Needs the packages booktabs and graphicx.
function latex(study: StudyResult): string {
  const { tasks, rows } = study
  const few = rows.some(row => row.differences.some(one => one.videos < fewVideos))
  const bounds = (one: Difference) => (few ? one.questionInterval : one.interval)
  const head = [
    '',
    ...tasks.flatMap(task => [tex(task), '$\\Delta$', '95\\,\\% CI', '$p_{\\mathrm{Holm}}$', '$\\neq$']),
    's',
    'calls',
    'tokens',
    'frames',
  ]
  const body = rows.map((row, at) => [
    tex(row.name),
    ...tasks.flatMap(task => {
      const score = row.scores[task] === undefined ? '--' : row.scores[task].toFixed(1)
      const taskDifference = findDifference(row, task)
      if (at === 0 || !taskDifference) return [score, '', '', '', '']
      const mark = verdict(taskDifference) === 'no difference found' ? '' : '^{*}'
      return [
        score,
        `$${minus(withSign(taskDifference.difference))}${mark}$`,
        `$[${minus(withSign(bounds(taskDifference).low))}, ${minus(withSign(bounds(taskDifference).high))}]$`,
        `$${probability(taskDifference.holm)}$`,
        String(taskDifference.changed),
      ]
    }),
    row.cost.seconds.toFixed(2),
    row.cost.calls.toFixed(1),
    row.cost.tokens.toFixed(0),
    row.cost.frames.toFixed(1),
  ])
  const [base] = rows
  const n = tasks.map(task => `${tex(task)}: ${findDifference(rows[1] ?? base, task)?.n ?? base.samples}`).join(', ')
  return [
    '% needs \\usepackage{booktabs,graphicx}',
    '\\begin{table}',
    '\\centering',
    `\\caption{${tex(study.benchmark)}: what each part is worth. Strict scores in per cent; $\\Delta$: difference to the base in points, with`,
    `the 95\\,\\% interval of a paired bootstrap that draws ${few ? 'questions within each video' : 'whole videos'}; $p$: two-sided, corrected by Holm over the rows; $^{*}$: below 0.05; $\\neq$: answers that are not the same.`,
    `Questions: ${n}. Per question: seconds, model calls, model tokens and frames.}`,
    `\\label{tab:ablation-${study.benchmark.replace(/[^a-z0-9]+/gi, '-')}}`,
    `\\begin{tabular}{l${tasks.map(() => 'rrlrr').join('')}rrrr}`,
    '\\toprule',
    `${head.join(' & ')} \\\\`,
    '\\midrule',
    ...body.map((cells, at) => `${cells.join(' & ')} \\\\${at === 0 ? ' \\midrule' : ''}`),
    '\\bottomrule',
    '\\end{tabular}',
    '\\end{table}',
    '',
    ...[aimTable(rows)].filter(aim => aim.rows.length > 0).map(latexTable),
  ].join('\n')
}

function minus(number: string): string {
  return number.replace('+', '{+}')
}

interface InTask {
  row: RowResult
  task: string
  one?: Difference // none for the base
}

// A line for each row and task, with everything that the tables show, unrounded.
const columns: Record<string, (of: InTask) => CsvCell> = {
  row: ({ row }) => row.name,
  task: ({ task }) => task,
  n: ({ row, one }) => one?.n ?? row.samples,
  videos: ({ one }) => one?.videos,
  base: ({ one }) => one?.base,
  score: ({ row, task, one }) => one?.row ?? row.scores[task],
  difference: ({ one }) => one?.difference,
  low: ({ one }) => one?.interval.low,
  high: ({ one }) => one?.interval.high,
  question_low: ({ one }) => one?.questionInterval.low,
  question_high: ({ one }) => one?.questionInterval.high,
  answers_changed: ({ one }) => one?.changed,
  better: ({ one }) => one?.better,
  worse: ({ one }) => one?.worse,
  test: ({ one }) => one?.test,
  p: ({ one }) => one?.p,
  p_holm: ({ one }) => one?.holm,
  p_by_video: ({ one }) => one?.byVideo.p,
  n_needed_independent: ({ one }) => one?.needed?.questions,
  design_effect: ({ one }) => one?.needed?.designEffect,
  n_needed: ({ one }) => one?.needed?.clustered,
  videos_needed: ({ one }) => one?.needed?.videos,
  seconds: ({ row }) => row.cost.seconds,
  model_calls: ({ row }) => row.cost.calls,
  tokens: ({ row }) => row.cost.tokens,
  frames: ({ row }) => row.cost.frames,
  money: ({ row }) => row.cost.money,
  index_seconds: ({ row }) => row.stages.seconds,
  stages_made: ({ row }) => joinCounts(row.stages.made, '; '),
  calls_made: ({ row }) => row.calls.made,
  calls_reused: ({ row }) => row.calls.reused,
  finished: ({ row }) => row.finished,
}

function rowsCsv({ rows, tasks }: StudyResult): string {
  const lines = rows.flatMap(row => tasks.map(task => ({ row, task, one: findDifference(row, task) })))
  return csvText([Object.keys(columns), ...lines.map(line => Object.values(columns).map(cellOf => cellOf(line)))])
}

// A line for each question, task and row: what the statistics are computed from.
function questionsCsv({ rows, tasks }: StudyResult, linesOf: LinesOf): string {
  const [base] = rows
  const lines = rows.flatMap(row =>
    tasks.flatMap(task =>
      pairLines(task, linesOf(base.id), linesOf(row.id)).map(({ id, video, base, row: score }) => [
        row.name,
        task,
        id,
        video,
        base,
        score,
      ]),
    ),
  )
  return csvText([['row', 'task', 'id', 'video', 'base', 'score'], ...lines])
}
