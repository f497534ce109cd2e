import { type CsvCell, csvText } from '../../../src/core/words/csv-cell.ts'
import type { LinesOf } from '../result/read-result.ts'
import { pairLines, type RowResult, type StudyResult } from '../result/result.ts'
import type { Difference } from '../statistics/difference.ts'
import { findDifference, joinCounts } from './tables.ts'

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

export function rowsCsv({ rows, tasks }: StudyResult): string {
  const lines = rows.flatMap(row => tasks.map(task => ({ row, task, one: findDifference(row, task) })))
  return csvText([Object.keys(columns), ...lines.map(line => Object.values(columns).map(cellOf => cellOf(line)))])
}

// A line for each question, task and row: what the statistics are computed from.
export function questionsCsv({ rows, tasks }: StudyResult, linesOf: LinesOf): string {
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
