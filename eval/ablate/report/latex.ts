import { aimTable } from '../../report/aim-table.ts'
import { signed } from '../../report/numbers.ts'
import { latexTable } from '../../report/papers/latex.ts'
import { tex } from '../../report/papers/tex.ts'
import type { StudyResult } from '../result/result.ts'
import { type Difference, fewVideos } from '../statistics/difference.ts'
import { findDifference, probability, verdict } from './tables.ts'

// The table of a paper: a row each, scores of every task with the difference to the base, its interval and its mark; and, if places
// are known, where the evidence landed. Needs the packages booktabs and graphicx.
export function latex(study: StudyResult): string {
  const { tasks, rows } = study
  const few = rows.some(row => row.differences.some(one => one.videos < fewVideos))
  const bounds = (one: Difference) => (few ? one.questionInterval : one.interval)
  const head = [
    '',
    ...tasks.flatMap(task => [tex(task), '$\\Delta$', '95\\,\\% CI', '$p_{\\mathrm{Holm}}$']),
    's',
    'tokens',
  ]
  const body = rows.map((row, at) => [
    tex(row.name),
    ...tasks.flatMap(task => {
      const score = row.scores[task] === undefined ? '--' : row.scores[task].toFixed(1)
      const taskDifference = findDifference(row, task)
      if (at === 0 || !taskDifference) return [score, '', '', '']
      const mark = verdict(taskDifference) === 'no difference found' ? '' : '^{*}'
      return [
        score,
        `$${minus(signed(taskDifference.difference))}${mark}$`,
        `$[${minus(signed(bounds(taskDifference).low))}, ${minus(signed(bounds(taskDifference).high))}]$`,
        `$${probability(taskDifference.holm)}$`,
      ]
    }),
    row.cost.seconds.toFixed(2),
    row.cost.tokens.toFixed(0),
  ])
  const [base] = rows
  const n = tasks.map(task => `${tex(task)}: ${findDifference(rows[1] ?? base, task)?.n ?? base.samples}`).join(', ')
  return [
    '% needs \\usepackage{booktabs,graphicx}',
    '\\begin{table}',
    '\\centering',
    `\\caption{${tex(study.benchmark)}: what each part is worth. Strict scores in per cent; $\\Delta$: difference to the base in points, with`,
    `the 95\\,\\% interval of a paired bootstrap that draws ${few ? 'questions within each video' : 'whole videos'}; $p$: two-sided, corrected by Holm over the rows; $^{*}$: below 0.05.`,
    `Questions: ${n}. Per question: seconds and model tokens.}`,
    `\\label{tab:ablation-${study.benchmark.replace(/[^a-z0-9]+/gi, '-')}}`,
    `\\begin{tabular}{l${tasks.map(() => 'rrlr').join('')}rr}`,
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
