import type { Sample } from '../../src/core/benchmark.ts'
import { readAnswer } from '../benchmarks/allvb/reply.ts'
import { cgBenchRecord } from '../benchmarks/cg-bench/record.ts'
import { isFinal, isRight, namedIntervals, readLetter, readOpen, readVerdict } from '../benchmarks/cg-bench/reply.ts'
import { mostIntervals } from '../benchmarks/cg-bench/score.ts'
import { readScore } from '../benchmarks/infinibench/judge.ts'
import { choiceSkills } from '../benchmarks/infinibench/record.ts'
import { finalAnswerPoints, scoreToolUse } from '../benchmarks/longshot/agentic/criteria.ts'
import { readToolCalls } from '../benchmarks/longshot/agentic/tool-calls.ts'
import { ownTools } from '../benchmarks/longshot/agentic/tools.ts'
import { readVerdict as readCriterion } from '../benchmarks/longshot/judge.ts'
import { gradeChoice, gradeOpen } from '../benchmarks/needle/grade.ts'
import { meets } from '../benchmarks/needle/meets.ts'
import { NeedleRecord } from '../benchmarks/needle/record.ts'
import { readGrade } from '../benchmarks/videoeval-pro/judge.ts'
import { readChoice } from '../metrics/choice/read-choice.ts'
import { type Interval, intervalIoU, soundIntervals } from '../metrics/intervals.ts'
import { plain } from '../python/value.ts'
import type { TaskGrade } from './line.ts'
import { criteriaOf, expectedOf, stepOf } from './rubric.ts'

export interface Graded {
  sample: Sample
  reply: string | null
  judge: Record<string, string | null>
}

type Grader = (graded: Graded) => TaskGrade

// How one reply counts, strictly; what the benchmark's own scorer reads is read by the same code.
const graders: Record<string, Record<string, Grader>> = {
  'cg-bench': { long_acc: cgLetter, clue_acc: cgLetter, miou: cgGrounding, open: cgOpen },
  'videoeval-pro': { open: letterVerdict, mcq: choice },
  needle: { open: needleOpen, mcq: needleChoice },
  infinibench: { answer: infiniBench },
  longshot: { answer: rubric, tools: toolUse },
  allvb: { answer: allvb },
}

export function gradeTask(benchmark: string, task: string, graded: Graded): TaskGrade {
  if (graded.reply === null) return { score: 0, rule: 'no reply', gold: goldOf(graded.sample) }
  return { gold: goldOf(graded.sample), ...(graders[benchmark]?.[task] ?? choice)(graded) }
}

function goldOf({ choice: right, reference }: Sample): unknown {
  return right === undefined ? reference : String.fromCharCode(65 + right)
}

function choice({ sample, reply }: Graded): TaskGrade {
  const texts = sample.question.options ?? []
  const { letter, rule } = readChoice(reply, { count: texts.length, texts })
  if (sample.choice === undefined) return { score: null, rule: 'the data hold no answer', value: letter }
  return { score: Number(letter?.charCodeAt(0) === 65 + sample.choice), rule, value: letter }
}

function allvb({ sample, reply }: Graded): TaskGrade {
  const { letter, rule } = readAnswer(reply, sample.question.options ?? [], 'strict')
  return { score: Number(letter?.charCodeAt(0) === 65 + (sample.choice ?? -1)), rule, value: letter }
}

function cgLetter({ sample, reply }: Graded): TaskGrade {
  const { right_answer } = cgBenchRecord(sample.record, sample.id)
  const { value, rule } = readLetter(reply, right_answer)
  return { score: value ?? 0, rule, value: readChoice(reply, { count: 8 }).letter }
}

function cgGrounding({ sample, reply }: Graded): TaskGrade {
  const { duration, clue_intervals } = cgBenchRecord(sample.record, sample.id)
  const named = soundIntervals(namedIntervals(reply) ?? [], { duration, most: mostIntervals })
  const clues = clue_intervals.map(([start, end]): Interval => [start, end])
  return {
    score: intervalIoU(named, clues),
    rule: named.length === 0 ? 'no interval' : 'intervals',
    value: named,
    gold: clues,
  }
}

function cgOpen({ sample, reply, judge }: Graded): TaskGrade {
  const value = readOpen(reply).value
  const gold = sample.reference
  const first = readVerdict(judge.step_1, 1).value
  if (first === null) return { score: null, rule: 'no verdict of step 1', value: plain(value), gold }
  const verdict = isFinal(first) ? first : readVerdict(judge.step_2, 2).value
  if (verdict === null) return { score: null, rule: 'no verdict of step 2', value: plain(value), gold }
  return { score: Number(isRight(verdict)), rule: isFinal(first) ? 'step 1' : 'step 2', value: plain(value), gold }
}

function letterVerdict({ sample, reply, judge }: Graded): TaskGrade {
  const grade = readGrade(judge.open)
  const gold = sample.reference
  if (grade === undefined) return { score: null, rule: 'no verdict', value: reply, gold }
  return { score: Number(grade === 'A'), rule: `judged ${grade}`, value: reply, gold }
}

function infiniBench({ sample, reply, judge }: Graded): TaskGrade {
  if (choiceSkills.includes(sample.groups.skill))
    return {
      score: Number(reply === String(sample.choice)),
      rule: reply === '' ? 'no choice' : 'option number',
      value: reply,
      gold: sample.choice,
    }
  const judgment = readScore(judge.open ?? null)
  if (judgment.score === null) return { score: null, rule: judgment.error, value: reply, gold: sample.reference }
  return { score: judgment.score / 10, rule: `judged ${judgment.score} of 10`, value: reply, gold: sample.reference }
}

function needleOpen({ sample, reply }: Graded): TaskGrade {
  const record = NeedleRecord.parse(sample.record)
  const given = { text: reply ?? '', question: [...record.turns.map(turn => turn.question), record.question].join(' ') }
  return {
    score: gradeOpen(record, reply ?? '').score,
    rule: record.expect.form,
    value: reply,
    gold: record.answer,
    criteria: record.criteria.map(({ name, description, weight, is_penalty, expect }) => ({
      name,
      description,
      weight,
      penalty: is_penalty,
      met: meets(expect, given) > 0,
    })),
  }
}

function needleChoice({ sample, reply }: Graded): TaskGrade {
  const record = NeedleRecord.parse(sample.record)
  const { score, rule } = gradeChoice(record, reply ?? '')
  return { score, rule, value: readChoice(reply, { count: record.choices.length, texts: record.choices }).letter }
}

// Weights of criteria met, less those of violated penalties, over what can be had. Nothing where one was not judged.
function rubric({ sample, reply, judge }: Graded): TaskGrade {
  const criteria = criteriaOf(sample).map((criterion, i) => ({ ...criterion, met: metOf(judge[stepOf(i)]) }))
  const gold = sample.reference
  const total = criteria.reduce((sum, { weight, penalty }) => sum + (penalty ? 0 : Math.max(0, weight)), 0)
  if (criteria.some(({ met }) => met === null))
    return { score: null, rule: 'criteria not judged', value: reply, gold, criteria }
  if (total === 0) return { score: null, rule: 'no criterion has weight', value: reply, gold, criteria }
  const points = criteria.reduce(
    (sum, { weight, penalty, met }) => sum + (penalty ? (met ? 0 : -Math.abs(weight)) : met ? weight : 0),
    0,
  )
  return { score: points / total, rule: 'rubric', value: reply, gold, criteria }
}

// Tools, parameters and order against those that are expected; extra and wrong calls subtract.
function toolUse({ sample, reply }: Graded): TaskGrade {
  const expected = expectedOf(sample)
  const made = readToolCalls(reply ?? '')
  const { points, attainable } = scoreToolUse(expected, made, ownTools, 0)
  const whole = attainable - finalAnswerPoints
  const rule = made.length === 0 ? 'no calls' : 'compared calls'
  return { score: whole > 0 ? points / whole : null, rule, value: made, gold: expected }
}

function metOf(reply: string | null | undefined): boolean | null {
  try {
    const verdict = readCriterion(reply ?? null)
    return typeof verdict === 'boolean' ? verdict : null
  } catch {
    return null
  }
}
