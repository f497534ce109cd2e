import { groupBy } from '../../data/group.ts'
import type { Given, Grade } from '../benchmark.ts'
import type { Graded, Sum } from '../grades.ts'
import type { Sample, Scores } from '../sample.ts'
import { readScore } from './judge.ts'
import { choiceSkills, type InfiniBenchRecord } from './record.ts'

export function gradeInfiniBench(sample: Sample<InfiniBenchRecord>, _: string, given: Given): Grade {
  return choiceSkills.includes(sample.record.skill) ? choiceGrade(sample, given) : openGrade(sample, given)
}

// Right is a prediction that Python prints as it prints answer_idx, without any trimming.
function choiceGrade({ choice, record: { right } }: Sample<InfiniBenchRecord>, { reply }: Given): Grade {
  const reason = reply === undefined ? 'no prediction' : right === undefined ? 'the data hold no answer_idx' : undefined
  return {
    score: Number(reason === undefined && (reply ?? 'None') === right),
    rule: reply ? 'option number' : 'no choice',
    value: reply,
    gold: choice,
    reason,
  }
}

function openGrade({ reference: gold }: Sample, { reply, judge }: Given): Grade {
  const judgment =
    reply === undefined
      ? { score: null, error: 'no prediction' }
      : 'open' in judge
        ? readScore(judge.open)
        : { score: null, error: 'not judged' }
  if (judgment.score === null)
    return { score: null, rule: judgment.error, value: reply, gold, reason: `no judgment: ${judgment.error}` }
  return { score: judgment.score / 10, rule: `judged ${judgment.score} of 10`, value: reply, gold }
}

// Overall is half the accuracy and half the score, each as a mean over skills.
export const sumInfiniBench: Sum<InfiniBenchRecord> = (graded, scoring) => {
  const excluded: Scores['excluded'] = []
  const groups: Scores['groups'] = {}
  const halves = { accuracy: [] as number[], score: [] as number[] }
  const isChoice = ({ record }: Graded<InfiniBenchRecord>) => choiceSkills.includes(record.skill)
  for (const [skill, of] of groupBy(graded, item => item.record.skill)) {
    const choice = choiceSkills.includes(skill)
    const half = graded.filter(item => isChoice(item) === choice)
    // The released script means over the prediction files there are; strict over every skill of a half that was run.
    if (!(scoring === 'strict' ? half : of).some(item => item.line)) {
      excluded.push({ id: skill, reason: 'no reply to any question of this skill: left out of the mean' })
      continue
    }
    for (const { record, grades } of of)
      if (grades.answer.reason !== undefined) excluded.push({ id: record.id, reason: grades.answer.reason })
    if (choice) {
      const row = choiceRow(of)
      groups[skill] = row
      halves.accuracy.push(row.accuracy)
    } else {
      const row = openRow(of, scoring === 'strict')
      groups[skill] = row
      halves.score.push(row.score)
    }
  }
  const accuracy = mean(halves.accuracy)
  const score = mean(halves.score)
  return {
    metrics: { accuracy, score, overall: accuracy === null || score === null ? null : 0.5 * accuracy + 5 * score },
    groups,
    excluded,
  }
}

function choiceRow(of: readonly Graded<InfiniBenchRecord>[]) {
  const right = of.filter(({ grades }) => grades.answer.score === 1).length
  const missing = of.filter(({ grades }) => grades.answer.reason !== undefined).length
  return { n: of.length, accuracy: (right / of.length) * 100, missing }
}

// The released mean is over the judgments that succeeded, 0 where none did; the strict one over all, a failed one being 0.
function openRow(of: readonly Graded<InfiniBenchRecord>[], strict: boolean) {
  const scores = of.flatMap(({ grades }) =>
    grades.answer.score === null ? [] : [Math.round(grades.answer.score * 10)],
  )
  const sum = scores.reduce((total, score) => total + score, 0)
  return {
    n: of.length,
    score: scores.length === 0 ? 0 : sum / (strict ? of.length : scores.length),
    lowest: scores.length === 0 ? 0 : Math.min(...scores),
    highest: scores.length === 0 ? 0 : Math.max(...scores),
    valid: scores.length,
    missing: of.length - scores.length,
  }
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}
