import { groupRows } from '../../data/group.ts'
import type { Sample } from '../../data/sample.ts'
import type { Grade } from '../../data/sample-line.ts'
import { readReplyChoice } from '../../metrics/choice/read-choice.ts'
import { type Accuracy, computeAccuracy } from '../../metrics/statistics/accuracy.ts'
import type { Graded, Sum, TaskReply } from '../benchmark.ts'
import { countGrades, countReasons } from '../grades.ts'
import { meets } from './grade-expectation.ts'
import type { NeedleRecord } from './record.ts'

// A reply that failed to come is wrong; the official scoring leaves it out and lists it.
export function gradeNeedle({ record }: Sample<NeedleRecord>, task: string, { reply }: TaskReply): Grade {
  if (reply === null || reply === undefined)
    return { score: 0, rule: 'no reply', rubric: 0, reason: 'no reply', official: { score: null, reason: 'no reply' } }
  return task === 'open' ? gradeOpen(record, reply) : gradeNeedleChoice(record, reply)
}

// Grades an open answer without any model. `abstained` is what the answerer itself says, where it says so apart from the text.
export function gradeOpen(record: NeedleRecord, text: string, abstained?: boolean): Grade & { score: number } {
  const givenAnswer = {
    text,
    abstained,
    question: [...record.turns.map(turn => turn.question), record.question].join(' '),
  }
  let reached = 0
  let whole = 0
  const criteria = record.criteria.map(({ name, description, weight, is_penalty: penalty, expect }) => {
    const met = meets(expect, givenAnswer)
    if (penalty) reached -= met > 0 ? 0 : Math.abs(weight)
    else reached += met * weight
    whole += penalty ? 0 : weight
    return { name, description, weight, penalty, met: met > 0 }
  })
  return {
    score: meets(record.expect, givenAnswer), // 0..1
    rule: record.expect.form,
    value: text,
    gold: record.answer,
    criteria,
    rubric: whole > 0 ? reached / whole : 0, // can be below 0
  }
}

export function gradeNeedleChoice({ choices, right_answer }: NeedleRecord, reply: string): Grade & { score: number } {
  const { letter, rule } = readReplyChoice(reply, { count: choices.length, texts: choices })
  return { score: Number(letter === right_answer), rule, value: letter, rubric: 0 }
}

// Accuracy of open answers and of choices, in all and by kind of question, and the rubric's share with penalties taken off.
export const sumNeedle: Sum<NeedleRecord> = (graded, scoring, asked) => {
  const rowsOf = (task: string, of: readonly Graded<NeedleRecord>[]) =>
    of.flatMap((item): Row[] => {
      const { score } = countGrades(item, task, scoring)
      if (score === null || !asked.has(task)) return []
      return [{ score, cluster: item.record.video, rubric: item.grades[task]?.rubric ?? 0 }]
    })
  const summed = (of: readonly Graded<NeedleRecord>[]) => {
    const open = rowsOf('open', of)
    return { open: computeAccuracy(open), mcq: computeAccuracy(rowsOf('mcq', of)), rubric: rubric(open) }
  }
  const all = summed(graded)
  return {
    metrics: { ...bounds('open', all.open), ...bounds('mcq', all.mcq), rubric: all.rubric },
    groups: groupRows(graded, ({ record }) => record.kind, summed),
    excluded: countReasons(graded, asked, scoring),
  }
}

interface Row {
  score: number
  cluster: string
  rubric: number
}

function bounds(task: string, found: Accuracy | null): Record<string, number | null> {
  const { accuracy = null, low = null, high = null } = found ?? {}
  return { [task]: accuracy, [`${task}_low`]: low, [`${task}_high`]: high }
}

function rubric(rows: readonly Row[]): number | null {
  return rows.length > 0 ? (100 * rows.reduce((sum, row) => sum + row.rubric, 0)) / rows.length : null
}
