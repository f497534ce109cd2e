import { readChoice } from '../../metrics/choice/read-choice.ts'
import { type Accuracy, accuracyOf } from '../../metrics/statistics/accuracy.ts'
import type { Given, Grade } from '../benchmark.ts'
import { counted, type Graded, type Sum } from '../grades.ts'
import type { Sample } from '../sample.ts'
import { meets } from './meets.ts'
import type { NeedleRecord } from './record.ts'

// A reply that failed to come is wrong; the official scoring leaves it out and lists it.
export function gradeNeedle({ record }: Sample<NeedleRecord>, task: string, { reply }: Given): Grade {
  if (reply === null || reply === undefined)
    return { score: 0, rule: 'no reply', rubric: 0, reason: 'no reply', official: { score: null, reason: 'no reply' } }
  return task === 'open' ? gradeOpen(record, reply) : gradeChoice(record, reply)
}

// Grades an open answer without any model. `abstained` is what the answerer itself says, where it says so apart from the text.
export function gradeOpen(record: NeedleRecord, text: string, abstained?: boolean): Grade & { score: number } {
  const given = { text, abstained, question: [...record.turns.map(turn => turn.question), record.question].join(' ') }
  let reached = 0
  let whole = 0
  const criteria = record.criteria.map(({ name, description, weight, is_penalty: penalty, expect }) => {
    const met = meets(expect, given)
    if (penalty) reached -= met > 0 ? 0 : Math.abs(weight)
    else reached += met * weight
    whole += penalty ? 0 : weight
    return { name, description, weight, penalty, met: met > 0 }
  })
  return {
    score: meets(record.expect, given), // 0..1
    rule: record.expect.form,
    value: text,
    gold: record.answer,
    criteria,
    rubric: whole > 0 ? reached / whole : 0, // can be below 0
  }
}

export function gradeChoice({ choices, right_answer }: NeedleRecord, reply: string): Grade & { score: number } {
  const { letter, rule } = readChoice(reply, { count: choices.length, texts: choices })
  return { score: Number(letter === right_answer), rule, value: letter, rubric: 0 }
}

// Accuracy of open answers and of choices, in all and by kind of question, and the rubric's share with penalties taken off.
export const sumNeedle: Sum<NeedleRecord> = (graded, scoring, asked) => {
  const rows = (task: string, of: readonly Graded<NeedleRecord>[]) =>
    asked.has(task)
      ? of.flatMap(({ record, grades }): Row[] => {
          const { score } = counted(grades[task], scoring)
          return score === null ? [] : [{ score, cluster: record.video, rubric: grades[task].rubric ?? 0 }]
        })
      : []
  const all = { open: accuracyOf(rows('open', graded)), mcq: accuracyOf(rows('mcq', graded)) }
  const kinds = [...new Set(graded.map(({ record }) => record.kind))]
  return {
    metrics: {
      ...bounds('open', all.open),
      ...bounds('mcq', all.mcq),
      rubric: rubric(rows('open', graded)),
    },
    groups: Object.fromEntries(
      kinds.map(kind => {
        const of = graded.filter(({ record }) => record.kind === kind)
        const open = rows('open', of)
        return [kind, { open: accuracyOf(open), mcq: accuracyOf(rows('mcq', of)), rubric: rubric(open) }]
      }),
    ),
    excluded: graded.flatMap(({ sample, grades }) =>
      ['open', 'mcq'].flatMap(task => {
        const { reason } = counted(grades[task], scoring)
        return asked.has(task) && reason ? [{ id: sample.id, reason: `${task}: ${reason}` }] : []
      }),
    ),
  }
}

interface Row {
  score: number
  cluster: string
  rubric: number
}

function bounds(task: string, found: Accuracy | null): Record<string, number | null> {
  return {
    [task]: found?.accuracy ?? null,
    [`${task}_low`]: found?.low ?? null,
    [`${task}_high`]: found?.high ?? null,
  }
}

function rubric(rows: readonly Row[]): number | null {
  return rows.length > 0 ? (100 * rows.reduce((sum, row) => sum + row.rubric, 0)) / rows.length : null
}
