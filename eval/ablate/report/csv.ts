import { type Cell, csvText } from '../../report/csv.ts'
import type { SampleLine } from '../../runner/line.ts'
import { pairsOf, type StudyResult } from '../study/result.ts'

// A line for each row and task, with everything that the tables show, unrounded.
export function rowsCsv(study: StudyResult): string {
  const header = [
    'row',
    'task',
    'n',
    'videos',
    'base',
    'score',
    'difference',
    'low',
    'high',
    'question_low',
    'question_high',
    'better',
    'worse',
    'test',
    'p',
    'p_holm',
    'p_by_video',
    'n_needed_independent',
    'design_effect',
    'n_needed',
    'videos_needed',
    'seconds',
    'model_calls',
    'tokens',
    'frames',
    'money',
    'index_seconds',
    'stages_made',
    'calls_made',
    'calls_reused',
    'finished',
  ]
  const lines = study.rows.flatMap(row =>
    study.tasks.map((task): Cell[] => {
      const one = row.differences.find(difference => difference.task === task)
      const { cost, stages, calls } = row
      const made = Object.entries(stages.made).map(([stage, videos]) => `${stage} ${videos}`)
      return [
        ...[
          row.name,
          task,
          one?.n ?? row.samples,
          one?.videos,
          one?.base,
          one?.row ?? row.scores[task],
          one?.difference,
        ],
        ...[one?.interval.low, one?.interval.high, one?.questionInterval.low, one?.questionInterval.high],
        ...[one?.better, one?.worse, one?.test, one?.p, one?.holm, one?.byVideo.p],
        ...[one?.needed?.questions, one?.needed?.designEffect, one?.needed?.clustered, one?.needed?.videos],
        ...[cost.seconds, cost.calls, cost.tokens, cost.frames, cost.money, stages.seconds],
        ...[made.join('; '), calls.made, calls.reused, row.finished],
      ]
    }),
  )
  return csvText([header, ...lines])
}

// A line for each question, task and row: what the statistics are computed from.
export function questionsCsv(study: StudyResult, linesOf: (row: string) => readonly SampleLine[]): string {
  const [base] = study.rows
  const lines = study.rows.flatMap(row =>
    study.tasks.flatMap(task =>
      pairsOf(task, linesOf(base.id), linesOf(row.id)).map((pair): Cell[] => [
        row.name,
        task,
        pair.id,
        pair.video,
        pair.base,
        pair.row,
      ]),
    ),
  )
  return csvText([['row', 'task', 'id', 'video', 'base', 'score'], ...lines])
}
