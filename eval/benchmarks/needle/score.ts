import type { Scores, Scoring } from '../../../src/core/benchmark.ts'
import { type Accuracy, accuracyOf } from './accuracy.ts'
import { gradeChoice, gradeOpen } from './grade.ts'
import type { NeedleRecord } from './record.ts'

// What a run got for one question. A reply that is not there was not asked for; null: it was, and nothing came back.
export interface NeedleReply {
  record: NeedleRecord
  open?: string | null
  mcq?: string | null
  abstained?: boolean
}

// Accuracy of open answers and of choices, in all and by kind of question, and the rubric's share with penalties taken off.
// Strict: a reply that failed to come is wrong. Official: it is left out and listed.
export function scoreNeedle(replies: readonly NeedleReply[], scoring: Scoring): Scores {
  const open = graded(replies, 'open', scoring)
  const mcq = graded(replies, 'mcq', scoring)
  const kinds = [...new Set(replies.map(({ record }) => record.kind))]
  const all = { open: accuracy(open), mcq: accuracy(mcq) }
  return {
    benchmark: 'needle',
    scoring,
    n: replies.length,
    metrics: {
      open: all.open?.accuracy ?? null,
      open_low: all.open?.low ?? null,
      open_high: all.open?.high ?? null,
      mcq: all.mcq?.accuracy ?? null,
      mcq_low: all.mcq?.low ?? null,
      mcq_high: all.mcq?.high ?? null,
      rubric: rubric(open),
    },
    groups: Object.fromEntries(
      kinds.map(kind => {
        const of = (rows: Graded[]) => rows.filter(row => row.reply.record.kind === kind)
        return [kind, { open: accuracy(of(open)), mcq: accuracy(of(mcq)), rubric: rubric(of(open)) }]
      }),
    ),
    excluded: replies.flatMap(reply =>
      (['open', 'mcq'] as const)
        .filter(task => reply[task] === null)
        .map(task => ({ id: reply.record.id, reason: `${task}: no reply` })),
    ),
  }
}

interface Graded {
  reply: NeedleReply
  score: number
  rubric: number
}

function graded(replies: readonly NeedleReply[], task: 'open' | 'mcq', scoring: Scoring): Graded[] {
  return replies.flatMap(reply => {
    const text = reply[task]
    if (text === undefined || (text === null && scoring === 'official')) return []
    if (text === null) return [{ reply, score: 0, rubric: 0 }]
    if (task === 'open') return [{ reply, ...gradeOpen(reply.record, text, reply.abstained) }]
    return [{ reply, score: gradeChoice(reply.record, text).score, rubric: 0 }]
  })
}

function accuracy(rows: readonly Graded[]): Accuracy | null {
  return accuracyOf(rows.map(({ reply, score }) => ({ score, cluster: reply.record.video })))
}

function rubric(rows: readonly Graded[]): number | null {
  return rows.length > 0 ? (100 * rows.reduce((sum, row) => sum + row.rubric, 0)) / rows.length : null
}
