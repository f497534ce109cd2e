import type { Replies } from '../../data/replies.ts'
import { isDict, type PythonValue, plain } from '../../python/value.ts'
import { choiceSkills, type InfiniBenchRecord, plainRecord } from './record.ts'

// The prediction files that the released evaluator reads, by skill: each record with what was predicted for it. A choice that
// is a whole number is written as one.
export function predictionFiles(records: readonly InfiniBenchRecord[], replies: Replies): Map<string, object[]> {
  const files = new Map<string, object[]>()
  for (const record of records) {
    const predicted = replies.byId.get(record.id)?.replies.answer
    const row = {
      ...(plainRecord(record) as object),
      ...(predicted !== undefined && { pred: written(predicted, record.skill) }),
    }
    files.set(record.skill, [...(files.get(record.skill) ?? []), row])
  }
  return files
}

// The reply lines of a prediction file, so that it can be scored here; a score it already holds stands in for the judge.
export function predictionLines(rows: readonly PythonValue[], idOf: (place: number) => string): string[] {
  return rows.filter(isDict).map((row, i) => {
    const id = JSON.stringify(String(plain(row.get('question_id') ?? idOf(i))))
    const answer = row.has('pred') ? `, "replies": {"answer": ${exactJson(row.get('pred') ?? null)}}` : ''
    const score = row.get('gpt_score')
    const judged = typeof score === 'bigint' ? `{"score": ${score}, "justification": ""}` : null
    return `{"id": ${id}${answer}${judged ? `, "judge": {"open": ${JSON.stringify(judged)}}` : ''}}`
  })
}

function written(predicted: string | null, skill: string): string | number | null {
  return choiceSkills.includes(skill) && predicted !== null && /^\d+$/.test(predicted) ? Number(predicted) : predicted
}

// A float keeps its point, so that 2.0 does not become 2.
function exactJson(value: PythonValue): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return Number.isInteger(value) ? `${value}.0` : String(value)
  return JSON.stringify(plain(value))
}
