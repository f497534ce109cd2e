import { basename, extname } from 'node:path'
import { readExactRecords } from '../../data/records.ts'
import { isDict, type PythonValue, toPlain } from '../../python/value.ts'
import type { ReleasedFile, ReleasedFiles, ToRelease } from '../benchmark.ts'
import { jsonFiles, jsonText } from '../released/released-files.ts'
import { challenge } from './challenge.ts'
import { type InfinibenchJudgment, readScore } from './judge.ts'
import { type InfiniBenchRecord, isChoiceSkill, longId, plainRecord, skillRows, skills } from './record.ts'

// The prediction files that the released evaluator reads, by skill.
export const infiniBenchReleased: ReleasedFiles<InfiniBenchRecord> = { read, write, challenge }

async function* read(path: string): AsyncIterable<string> {
  let rowIndex = 0
  for (const file of await jsonFiles(path)) {
    const ofFile = skills.find(skill => basename(file, extname(file)).startsWith(skill))
    for (const { skill, rows } of skillRows(await readExactRecords(file), ofFile)) {
      const before = rowIndex
      rowIndex += rows.length
      yield* predictionLines(rows, i => `${skill ?? 'skill'}_${before + i}`, skill)
    }
  }
}

// Each record with what was predicted for it. A choice that is a whole number is written as one.
async function write({ records, lines }: ToRelease<InfiniBenchRecord>): Promise<ReleasedFile[]> {
  const byId = new Map(lines.map(line => [line.id, line]))
  const files = new Map<string, object[]>()
  for (const record of records) {
    const line = byId.get(longId(record)) ?? byId.get(record.id)
    const predicted = line?.replies.answer
    const judged = line?.judge && 'open' in line.judge.replies ? readScore(line.judge.replies.open) : undefined
    const row = {
      ...(plainRecord(record) as object),
      ...(predicted !== undefined && { pred: written(predicted, record.skill) }),
      ...(judged &&
        !isChoiceSkill(record.skill) && { gpt_score: judged.score, justification: formatJustification(judged) }),
    }
    files.set(record.skill, [...(files.get(record.skill) ?? []), row])
  }
  return [...files].map(([skill, rows]) => ({ path: `${skill}.json`, content: jsonText(rows) }))
}

// The reply lines of a prediction file, so that it can be scored here; a score it already holds stands in for the judge.
export function predictionLines(
  rows: readonly PythonValue[],
  idOf: (place: number) => string,
  skillOfFile?: string,
): string[] {
  return rows.filter(isDict).map((row, i) => {
    const questionId = row.get('question_id')
    const skill = row.get('skill_name') ?? skillOfFile
    const named = questionId === undefined || questionId === null ? idOf(i) : String(toPlain(questionId))
    const id = JSON.stringify(skill === undefined || skill === null ? named : `${String(skill)}:${named}`)
    const answer = row.has('pred') ? `, "replies": {"answer": ${exactJson(row.get('pred') ?? null)}}` : ''
    const score = row.get('gpt_score')
    const judged = typeof score === 'bigint' ? `{"score": ${score}, "justification": ""}` : null
    return `{"id": ${id}${answer}${judged ? `, "judge": {"open": ${JSON.stringify(judged)}}` : ''}}`
  })
}

function formatJustification(judged: InfinibenchJudgment): string {
  return judged.score === null ? `Evaluation failed: ${judged.error}` : judged.justification
}

function written(predicted: string | null, skill: string): string | number | null {
  return isChoiceSkill(skill) && predicted !== null && /^\d+$/.test(predicted) ? Number(predicted) : predicted
}

// A float keeps its point, so that 2.0 does not become 2.
function exactJson(value: PythonValue): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return Number.isInteger(value) ? `${value}.0` : String(value)
  return JSON.stringify(toPlain(value))
}
