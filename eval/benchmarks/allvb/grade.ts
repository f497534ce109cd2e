import { groupBy } from '../../data/group.ts'
import type { Grade } from '../benchmark.ts'
import { counted, type Sum } from '../grades.ts'
import { missing } from '../multiple-choice/grade.ts'
import type { Scoring } from '../sample.ts'
import { type AllvbRecord, allvbTasks } from './record.ts'
import { readAnswer } from './reply.ts'

// What cannot be read counts as wrong in both scorings; they differ in how alike a reply without a letter must be to an
// option.
export function gradeAllvb({ options, answer }: AllvbRecord, reply: string | null | undefined): Grade {
  const read = (scoring: Scoring) => {
    const { letter, rule } = readAnswer(reply, options, scoring)
    const reason = letter === undefined ? missing(rule) : undefined
    return { score: Number(letter === answer), rule, value: letter, reason }
  }
  return { ...read('strict'), official: read('official') }
}

// Accuracy by task, and over all questions at once (the reported average is the micro average).
export const sumAllvb: Sum<AllvbRecord> = (graded, scoring) => {
  const scored = graded.map(({ record, grades }) => ({ record, ...counted(grades.answer, scoring) }))
  const byTask = groupBy(scored, item => item.record.task)
  const row = (items: { score: number | null }[]) => ({
    n: items.length,
    accuracy: (items.filter(item => item.score === 1).length / items.length) * 100,
  })
  return {
    metrics: { average: scored.length === 0 ? null : row(scored).accuracy },
    groups: Object.fromEntries(
      allvbTasks.flatMap(task => {
        const items = byTask.get(task)
        return items ? [[task, row(items)]] : []
      }),
    ),
    excluded: scored.flatMap(({ record, reason }) => (reason ? [{ id: record.id, reason }] : [])),
  }
}
