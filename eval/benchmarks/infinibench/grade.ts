import { groupBy } from '../../../src/core/basics/group-by.ts'
import type { Sample, Scores } from '../../data/sample.ts'
import type { Grade } from '../../data/sample-line.ts'
import type { Graded, Sum, TaskReply } from '../benchmark.ts'
import { countGrades, countReasons, meanOrNull } from '../grades.ts'
import { readScore } from './judge.ts'
import { type InfiniBenchRecord, isChoiceSkill } from './record.ts'

export function gradeInfiniBench(sample: Sample<InfiniBenchRecord>, _: string, given: TaskReply): Grade {
  return isChoiceSkill(sample.record.skill) ? choiceGrade(sample, given) : openGrade(sample, given)
}

// Right is a prediction that Python prints as it prints answer_idx, without any trimming.
function choiceGrade({ choice, record: { right } }: Sample<InfiniBenchRecord>, { reply }: TaskReply): Grade {
  const reason = reply === undefined ? 'no prediction' : right === undefined ? 'the data hold no answer_idx' : undefined
  return {
    score: Number(reason === undefined && (reply ?? 'None') === right),
    rule: reply ? 'option number' : 'no choice',
    value: reply,
    gold: choice === undefined ? undefined : Number(right),
    reason,
  }
}

function openGrade({ reference: gold }: Sample, { reply, judge }: TaskReply): Grade {
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
export const sumInfiniBench: Sum<InfiniBenchRecord> = (graded, scoring, asked) => {
  const excluded: Scores['excluded'] = []
  const groups: Record<string, Record<string, number>> = {}
  for (const [skill, of] of groupBy(graded, item => item.record.skill)) {
    const isChoice = isChoiceSkill(skill)
    const half = graded.filter(({ record }) => isChoiceSkill(record.skill) === isChoice)
    // The released script means over the prediction files there are; strict over every skill of a half that was run.
    if (!(scoring === 'strict' ? half : of).some(item => item.line)) {
      excluded.push({ id: skill, reason: 'no reply to any question of this skill: left out of the mean' })
      continue
    }
    if (!isChoice && !asked.has('answer')) {
      groups[skill] = { n: of.length }
      continue
    }
    excluded.push(...countReasons(of, ['answer'], scoring))
    groups[skill] = isChoice ? choiceRow(of.map(gradeAnswer)) : openRow(of.map(gradeAnswer), scoring === 'strict')
  }
  const accuracy = meanOrNull(Object.values(groups).flatMap(row => row.accuracy ?? []))
  const score = meanOrNull(Object.values(groups).flatMap(row => row.score ?? []))
  return {
    metrics: { accuracy, score, overall: accuracy === null || score === null ? null : 0.5 * accuracy + 5 * score },
    groups,
    excluded,
  }
}

type Counted = ReturnType<typeof countGrades>

function gradeAnswer(item: Graded<InfiniBenchRecord>): Counted {
  return countGrades(item, 'answer', 'strict')
}

function choiceRow(of: readonly Counted[]) {
  const right = of.filter(({ score }) => score === 1).length
  const missing = of.filter(({ reason }) => reason !== undefined).length
  return { n: of.length, accuracy: (right / of.length) * 100, missing }
}

// The released mean is over the judgments that succeeded, 0 if none did; the strict one over all, a failed one being 0.
function openRow(of: readonly Counted[], strict: boolean) {
  const scores = of.flatMap(({ score }) => (score === null ? [] : [Math.round(score * 10)]))
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
