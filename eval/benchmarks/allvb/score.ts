import type { ScoreInput, Scores } from '../../../src/core/benchmark.ts'
import { groupBy } from '../../data/group.ts'
import { readReplies, strangers } from '../../data/replies.ts'
import { type AllvbRecord, allvbTasks } from './record.ts'
import { readAnswer } from './reply.ts'

// Accuracy by task, and over all questions at once (the reported average is the micro average). What cannot be read counts
// as wrong in both scorings; they differ in how alike a reply without a letter must be to an option.
export async function scoreAllvb(records: readonly AllvbRecord[], input: ScoreInput): Promise<Scores> {
  const replies = await readReplies(input.replies)
  const excluded = [...replies.notes, ...strangers(replies, new Set(records.map(record => record.id)))]
  const scored = records.map(record => {
    const line = replies.byId.get(record.id)
    const { letter, rule } = readAnswer(line?.replies.answer, record.options, input.scoring)
    if (letter === undefined)
      excluded.push({ id: record.id, reason: rule === 'empty' ? 'no reply' : `no choice in the reply (${rule})` })
    return { task: record.task, right: letter === record.answer }
  })
  const byTask = groupBy(scored, item => item.task)
  const row = (items: { right: boolean }[]) => ({
    n: items.length,
    accuracy: (items.filter(item => item.right).length / items.length) * 100,
  })
  return {
    benchmark: 'allvb',
    scoring: input.scoring,
    n: records.length,
    metrics: { average: scored.length === 0 ? null : row(scored).accuracy },
    groups: Object.fromEntries(
      allvbTasks.flatMap(task => {
        const items = byTask.get(task)
        return items ? [[task, row(items)]] : []
      }),
    ),
    excluded,
  }
}
