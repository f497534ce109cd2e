import type { ScoreInput, Scores } from '../../../src/core/benchmark.ts'
import { groupBy } from '../../data/group.ts'
import { type Replies, type ReplyLine, readReplies, strangers } from '../../data/replies.ts'
import { type Judgment, readScore } from './judge.ts'
import { choiceSkills, type InfiniBenchRecord } from './record.ts'

type Missing = { id: string; reason: string }[]

// Overall is half the accuracy and half the score, each as a mean over skills.
export async function scoreInfiniBench(records: readonly InfiniBenchRecord[], input: ScoreInput): Promise<Scores> {
  const replies = await readReplies(input.replies)
  const strict = input.scoring === 'strict'
  const missing: Missing = []
  const groups: Scores['groups'] = {}
  const halves = { accuracy: [] as number[], score: [] as number[] }
  const ran = (skills: readonly InfiniBenchRecord[]) => skills.some(record => lineOf(replies, record))
  const isChoice = (record: InfiniBenchRecord) => choiceSkills.includes(record.skill)
  for (const [skill, of] of groupBy(records, record => record.skill)) {
    const choice = choiceSkills.includes(skill)
    const half = records.filter(record => isChoice(record) === choice)
    // The released script means over the prediction files there are; strict over every skill of a half that was run.
    if (!ran(strict ? half : of)) {
      missing.push({ id: skill, reason: 'no reply to any question of this skill: left out of the mean' })
      continue
    }
    const row = choice ? choiceRow(of, replies, missing) : openRow(of, replies, strict, missing)
    groups[skill] = row
    if (choice) halves.accuracy.push((row as { accuracy: number }).accuracy)
    else halves.score.push((row as { score: number }).score)
  }
  const accuracy = mean(halves.accuracy)
  const score = mean(halves.score)
  return {
    benchmark: 'infinibench',
    scoring: input.scoring,
    n: records.length,
    metrics: { accuracy, score, overall: accuracy === null || score === null ? null : 0.5 * accuracy + 5 * score },
    groups,
    excluded: [...replies.notes, ...strangers(replies, knownIds(records)), ...missing],
  }
}

// Right is a prediction that Python prints as it prints answer_idx, without any trimming; every row counts.
function choiceRow(records: readonly InfiniBenchRecord[], replies: Replies, missing: Missing): Record<string, unknown> {
  let right = 0
  let absent = 0
  for (const record of records) {
    const predicted = lineOf(replies, record)?.replies.answer
    if (predicted === undefined || record.right === undefined) {
      absent++
      missing.push({ id: record.id, reason: predicted === undefined ? 'no prediction' : 'the data hold no answer_idx' })
    } else if ((predicted ?? 'None') === record.right) right++
  }
  return { n: records.length, accuracy: (right / records.length) * 100, missing: absent }
}

// The released mean is over the judgments that succeeded, 0 where none did; the strict one over all, a failed one being 0.
function openRow(
  records: readonly InfiniBenchRecord[],
  replies: Replies,
  strict: boolean,
  missing: Missing,
): Record<string, unknown> {
  const scores: number[] = []
  for (const record of records) {
    const judgment = judgmentOf(lineOf(replies, record))
    if (judgment.score !== null) scores.push(judgment.score)
    else missing.push({ id: record.id, reason: `no judgment: ${judgment.error}` })
  }
  const sum = scores.reduce((total, score) => total + score, 0)
  return {
    n: records.length,
    score: scores.length === 0 ? 0 : sum / (strict ? records.length : scores.length),
    lowest: scores.length === 0 ? 0 : Math.min(...scores),
    highest: scores.length === 0 ? 0 : Math.max(...scores),
    valid: scores.length,
    missing: records.length - scores.length,
  }
}

function judgmentOf(line: ReplyLine | undefined): Judgment {
  if (line?.replies.answer === undefined) return { score: null, error: 'no prediction' }
  return 'open' in line.judge ? readScore(line.judge.open) : { score: null, error: 'not judged' }
}

// Where two skills share an id, a line names the skill too: "summarization:12".
export function lineOf(replies: Replies, record: InfiniBenchRecord): ReplyLine | undefined {
  return replies.byId.get(`${record.skill}:${record.id}`) ?? replies.byId.get(record.id)
}

function knownIds(records: readonly InfiniBenchRecord[]): Set<string> {
  return new Set(records.flatMap(record => [record.id, `${record.skill}:${record.id}`]))
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}
