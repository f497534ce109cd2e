import { UsageError } from '../../../src/core/errors.ts'
import { isObject } from '../../../src/core/json.ts'
import { wholeLines } from '../../data/replies.ts'
import type { Scores } from '../../data/sample.ts'
import { roundHalfEven } from '../../metrics/rounding.ts'
import { toPlain } from '../../python/value.ts'
import type { ScoreInput } from '../benchmark.ts'
import { meanOrNull, unjudgedNotes } from '../grades.ts'
import { type Pooled, poolOfficial, readSampleId } from './official.ts'
import { type Dict, ReleasedScorerError } from './python-error.ts'
import { categoryMeans, type ScoreTables, scoreFile, scoreTables } from './score-file.ts'
import { findCategory, otherTasks, poolStrict, unansweredSample } from './strict.ts'
import { taskCategories } from './tables.ts'
import { readConversation } from './turns.ts'

type Notes = Scores['excluded']

// Scores judged samples, one JSON line each (an _eval.jsonl). With the data set at hand strict also counts what has no line.
export async function scoreLongshot(input: ScoreInput<unknown>): Promise<Scores> {
  const notes: Notes = []
  const samples: unknown[] = []
  for await (const { value } of wholeLines(input.replies, notes)) samples.push(toPlain(value))
  const unjudged = samples.length > 0 && !samples.some(isJudged)
  const result = input.scoring === 'official' ? official(samples, notes) : strict(samples, input, notes)
  if (!unjudged) return result
  return { ...result, metrics: { overall: null }, groups: {}, unjudged: ['answer'], notes: unjudgedNotes(['answer']) }
}

function isJudged(sample: unknown): boolean {
  const record: Dict = isObject(sample) ? sample : {}
  const criteria = readConversation(record).flatMap(({ criteria }) => (Array.isArray(criteria) ? criteria : []))
  return criteria.length === 0 || criteria.some(({ criteria_met = null }) => criteria_met !== null)
}

function official(samples: readonly unknown[], notes: Notes): Scores {
  const pooled = poolOrExplain(samples)
  const { overall, ...tables } = scoreFile(pooled)
  const { minutes } = scoreTables(pooled, taskCategories, value => roundHalfEven(value * 100, 2))
  const categorised = new Set(Object.values(taskCategories).flat())
  for (const [task, points] of pooled.byTask)
    if (task === null || !categorised.has(task))
      notes.push({
        id: String(task),
        reason: `${points.count} samples of a task in no category: not in the overall accuracy`,
      })
  const none = { modality_breakdown: {}, duration_breakdown: {} }
  return scores('official', samples.length, overall.accuracy, { ...none, ...tables, minutes }, notes)
}

function strict(lines: readonly unknown[], { records, missing }: ScoreInput<unknown>, notes: Notes): Scores {
  const samples = lastOfEach(lines, notes)
  const answered = new Set(samples.map(readSampleId))
  for (const sample of records) {
    if (answered.has(readSampleId(sample))) continue
    samples.push(unansweredSample(sample, missing === 'right'))
    notes.push({ id: readSampleId(sample) ?? 'sample', reason: 'no line for this sample' })
  }
  const pooled = poolStrict(samples, notes)
  const uncategorised = [...pooled.byTask.keys()].filter(
    task => task !== null && findCategory(task) === otherTasks,
  ) as string[]
  const table = { ...taskCategories, ...(uncategorised.length > 0 && { [otherTasks]: uncategorised }) }
  const overall = meanOrNull(categoryMeans(pooled.byTask, table).map(row => row.mean)) ?? 0
  return scores(
    'strict',
    samples.length,
    overall * 100,
    scoreTables(pooled, table, value => value * 100),
    notes,
  )
}

function scores(
  scoring: Scores['scoring'],
  n: number,
  overall: number,
  { categories, subtasks, modality_breakdown, duration_breakdown, minutes }: ScoreTables,
  excluded: Notes,
): Scores {
  const groups = { categories, subtasks, modality_breakdown, duration_breakdown, minutes }
  return { benchmark: 'longshot', scoring, n, metrics: { overall }, groups, excluded, unjudged: [], notes: [] }
}

function poolOrExplain(samples: readonly unknown[]): Pooled {
  try {
    return poolOfficial(samples)
  } catch (error) {
    if (!(error instanceof ReleasedScorerError)) throw error
    throw new UsageError(`The released scorer stops at ${error.place} with ${error.kind}: ${error.message}.`, {
      hint: 'Judge the sample again, or use --scoring strict, which counts it as wrong and lists it.',
      cause: error,
    })
  }
}

// A sample that occurs twice counts once, with its last line.
function lastOfEach(lines: readonly unknown[], notes: Notes): unknown[] {
  const last = new Map<string, unknown>()
  lines.forEach((sample, i) => {
    const id = readSampleId(sample) ?? `line ${i + 1}`
    if (last.has(id)) notes.push({ id, reason: 'a later line replaces an earlier one of the same sample' })
    last.set(id, sample)
  })
  return [...last.values()]
}
