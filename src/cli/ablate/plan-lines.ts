import type { StudyPlan } from '../../../eval/ablate/index.ts'
import { oneLine } from '../sanitise.ts'
import { columns, formatDuration } from '../show/format.ts'

// What each row will make and what it takes from elsewhere.
export function planLines({
  rows,
  questions,
  calls,
  tokens,
  money,
  indexSeconds,
  askSeconds,
  from,
  notes,
}: StudyPlan): string[] {
  const list = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([stage, videos]) => (videos === 1 ? stage : `${stage} ${videos}x`))
      .join(', ') || '-'
  const total = (counts: Record<string, number>) => String(Object.values(counts).reduce((sum, count) => sum + count, 0))
  const table = columns([
    ['row', 'stages to make', 'there', 'by rows before', 'index', 'questions', 'calls', 'calls taken over'],
    ...rows.map(row => [
      oneLine(row.name),
      list(row.stages.make),
      total(row.stages.there),
      total(row.stages.earlier),
      row.indexSeconds === undefined ? '?' : formatDuration(row.indexSeconds),
      String(row.questions),
      row.calls === undefined ? '?' : `<= ${row.calls}`,
      row.reuse,
    ]),
  ])
  const known = [
    `${rows.length} rows, ${questions} questions`,
    ...(calls === undefined ? [] : [`${calls} model calls at most, ${tokens} tokens`]),
    ...(money === undefined ? [] : [`money ${money.toFixed(2)} at most`]),
    ...(indexSeconds === undefined ? [] : [`about ${formatDuration(indexSeconds)} of indexing`]),
    ...(askSeconds === undefined ? [] : [`about ${formatDuration(askSeconds)} of questions`]),
  ]
  return [...table, `${known.join('; ')}.`, `By ${from}.`, ...notes.map(oneLine)]
}
