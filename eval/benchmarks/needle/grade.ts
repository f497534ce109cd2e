import { readChoice } from '../../metrics/choice/read-choice.ts'
import { meets } from './meets.ts'
import type { NeedleRecord } from './record.ts'

export interface OpenGrade {
  score: number // 0..1
  rubric: number // weights met, less those of violated penalties, over the weights there are; can be below 0
}

// Grades an open answer without any model. `abstained` is what the answerer itself says, where it says so apart from the text.
export function gradeOpen(record: NeedleRecord, text: string, abstained?: boolean): OpenGrade {
  const given = { text, abstained, question: [...record.turns.map(turn => turn.question), record.question].join(' ') }
  let reached = 0
  let whole = 0
  for (const criterion of record.criteria) {
    const met = meets(criterion.expect, given)
    if (criterion.is_penalty) reached -= met > 0 ? 0 : Math.abs(criterion.weight)
    else reached += met * criterion.weight
    whole += criterion.is_penalty ? 0 : criterion.weight
  }
  return { score: meets(record.expect, given), rubric: whole > 0 ? reached / whole : 0 }
}

export function gradeChoice(record: NeedleRecord, reply: string): { score: number; rule: string } {
  const { letter, rule } = readChoice(reply, { count: record.choices.length, texts: record.choices })
  return { score: Number(letter === record.right_answer), rule }
}
