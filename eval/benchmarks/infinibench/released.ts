import { basename, extname } from 'node:path'
import { z } from 'zod'
import { groupBy } from '../../../src/core/basics/group-by.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { prettyJson } from '../../../src/core/json.ts'
import { safePath } from '../../../src/store/archive/member.ts'
import { readExactRecords } from '../../data/records.ts'
import { isDict, type PythonValue, toPlain } from '../../python/value.ts'
import type { Challenge, ReleasedFile, ReleasedFiles, ToRelease } from '../benchmark.ts'
import { jsonFiles } from '../released/released-files.ts'
import { type InfinibenchJudgment, readScore } from './judge.ts'
import { type InfiniBenchRecord, isChoiceSkill, longId, plainRecord, skillRows, skills } from './record.ts'

// How the challenge names its files is not public here, so a file of the user's says it.
const Names = z.record(
  z.string(),
  z.strictObject({
    file: z.string(), // in the zip
    key: z.string(), // the field of the annotations that predictions stand under
    missing: z.union([z.int(), z.string()]).optional(), // what stands for a question without a prediction
  }),
)
type Names = z.infer<typeof Names>

const hint =
  'It is {"<skill>": {"file": "<name in the zip>", "key": "<field of the annotations>"}}, as the site of the challenge has them.'

// What the challenge on the test split takes: per skill a JSON object from the key of a question to its prediction; choices are whole
// numbers.
const challenge: Challenge<InfiniBenchRecord> = {
  site: 'Codabench, competition 10065',
  write(run, given, place) {
    const names = parseNames(given, place)
    const bySkill = groupBy(run.records, record => record.skill)
    const unnamedSkills = [...bySkill.keys()].filter(skill => !Object.hasOwn(names, skill))
    if (unnamedSkills.length > 0)
      throw new UsageError(`${place} must name every skill of the run: ${unnamedSkills.join(', ')}.`, { hint })
    const files = new Map<string, Map<string, number | string>>()
    for (const [skill, { file, key, missing }] of Object.entries(names)) {
      const records = bySkill.get(skill)
      if (!records)
        throw new UsageError(`${place} names ${skill}, and the run asked no question of it.`, { hint: 'Leave it out.' })
      checkOptions(skill, records)
      const predictions = files.get(file) ?? new Map<string, number | string>()
      files.set(file, predictions)
      for (const [name, predicted] of listPredictions(run, records, key)) {
        if (predictions.has(name))
          throw new UsageError(`Two questions of ${file} have the ${key} "${name}".`, { hint: 'Name another "key".' })
        const value = predicted ?? missing
        if (value === undefined) throw noPrediction(skill, name)
        predictions.set(name, value)
      }
    }
    return [...files].map(
      ([path, predictions]): ReleasedFile => ({ path, content: prettyJson(Object.fromEntries(predictions)) }),
    )
  },
}

function parseNames(given: unknown, place: string): Names {
  const { data, error } = Names.safeParse(given)
  if (!data) {
    const [issue] = error.issues
    throw new UsageError(`${place}: ${issue?.path.join('.') || 'all of it'}: ${issue?.message}.`, { hint })
  }
  const strange = Object.keys(data).find(skill => !skills.includes(skill))
  if (strange !== undefined)
    throw new UsageError(`${place} names the skill "${strange}".`, { hint: `Skills are ${skills.join(', ')}.` })
  const outside = Object.values(data).find(({ file }) => safePath(file) === undefined)
  if (outside)
    throw new UsageError(`${place} names the file "${outside.file}".`, { hint: 'It must be a path in the zip.' })
  return data
}

// The public test split holds neither answers nor options, and a choice cannot be made among nothing.
function checkOptions(skill: string, records: readonly InfiniBenchRecord[]): void {
  const bare = records.filter(({ options = [] }) => options.length === 0)
  if (isChoiceSkill(skill) && bare.length > 0)
    throw new UsageError(
      `${bare.length} of ${records.length} questions of ${skill} have no options: what was answered is not a choice.`,
      {
        hint: 'The public test split withholds them; run on the annotations of the challenge itself.',
      },
    )
}

function* listPredictions(
  { lines }: ToRelease<InfiniBenchRecord>,
  records: readonly InfiniBenchRecord[],
  key: string,
): Iterable<[string, number | string | undefined]> {
  const byId = new Map(lines.map(line => [line.id, line]))
  for (const record of records) {
    const name = (plainRecord(record) as Record<string, unknown>)[key]
    if (typeof name !== 'string' && typeof name !== 'number')
      throw new UsageError(`A question of ${record.skill} (${record.id}) has no field "${key}".`, {
        hint: 'Name a field of the annotations as "key".',
      })
    const reply = (byId.get(longId(record)) ?? byId.get(record.id))?.replies.answer ?? ''
    yield [String(name), isChoiceSkill(record.skill) ? wholeNumber(reply) : reply.trim() === '' ? undefined : reply]
  }
}

function wholeNumber(reply: string): number | undefined {
  return /^\d+$/.test(reply.trim()) ? Number(reply) : undefined
}

function noPrediction(skill: string, name: string): UsageError {
  return new UsageError(`There is no prediction for ${name} of ${skill}.`, {
    hint: 'Resume the run with --resume, or say in the file what stands for it: "missing": -1.',
  })
}

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
  return [...files].map(([skill, rows]) => ({ path: `${skill}.json`, content: prettyJson(rows) }))
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
