import type { SampleLine } from '../../runner/line.ts'
import type { Given, Grade } from '../benchmark.ts'
import type { Sample } from '../sample.ts'
import { finalAnswerPoints, scoreToolUse } from './agentic/criteria.ts'
import { readToolCalls } from './agentic/tool-calls.ts'
import { ownTools } from './agentic/tools.ts'
import { verdictOf } from './judge.ts'
import { judgedSample, type TurnResult } from './judged.ts'
import { isDict } from './python-error.ts'
import { criteriaOf, expectedOf, rubricPoints, stepOf, turnOf } from './rubric.ts'

export function gradeLongshot(sample: Sample, task: string, { reply, judge }: Given): Grade {
  return task === 'tools' ? toolUse(sample, reply) : rubric(sample, reply, judge)
}

// What the criteria met weigh of what can be had. Nothing where one was not judged.
function rubric(sample: Sample, reply: string | null | undefined, judge: Given['judge']): Grade {
  const criteria = criteriaOf(sample).map((criterion, i) => {
    const { criteria_met } = verdictOf(judge[stepOf(i)] ?? null)
    return { ...criterion, met: typeof criteria_met === 'boolean' ? criteria_met : null }
  })
  const found = { value: reply, gold: sample.reference, criteria }
  const { obtained, total } = rubricPoints(criteria)
  if (!reply?.trim()) return { score: 0, rule: 'no reply', ...found }
  if (criteria.some(({ met }) => met === null)) return { score: null, rule: 'criteria not judged', ...found }
  if (total === 0) return { score: null, rule: 'no criterion has weight', ...found }
  return { score: obtained / total, rule: 'rubric', ...found }
}

// Tools, parameters and order against those that are expected; extra and wrong calls subtract.
function toolUse(sample: Sample, reply: string | null | undefined): Grade {
  const expected = expectedOf(sample)
  const made = readToolCalls(reply ?? '')
  const { points, attainable } = scoreToolUse(expected, made, ownTools, 0)
  const whole = attainable - finalAnswerPoints
  const rule = made.length === 0 ? 'no calls' : 'compared calls'
  return { score: whole > 0 ? points / whole : null, rule, value: made, gold: expected }
}

// Conversations with the answers and verdicts of their turns, as the released tools keep them.
export function judgedLines(samples: readonly Sample[], lines: readonly SampleLine[]): string[] {
  const byId = new Map(lines.map(line => [line.id, line]))
  const turns = new Map<unknown, Map<number, TurnResult>>()
  for (const sample of samples) {
    const line = byId.get(sample.id)
    if (!line) continue
    const verdicts = criteriaOf(sample).map((_, i) => line.judge?.replies[stepOf(i)] ?? null)
    const results = turns.get(sample.record) ?? new Map<number, TurnResult>()
    const called = line.replies.tools
    const calls = typeof called === 'string' ? readToolCalls(called) : undefined
    results.set(turnOf(sample), { answer: line.replies.answer ?? null, verdicts, ...(calls && { calls }) })
    turns.set(sample.record, results)
  }
  return [...turns].map(([record, results]) => JSON.stringify(judgedSample(isDict(record) ? record : {}, results)))
}
