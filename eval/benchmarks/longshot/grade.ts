import type { Given, Grade } from '../benchmark.ts'
import type { Sample } from '../sample.ts'
import { scoreToolUse } from './agentic/criteria.ts'
import { readToolCalls } from './agentic/tool-calls.ts'
import { verdictOf } from './judge.ts'
import { criteriaOf, expectedOf, rubricPoints, stepOf } from './rubric.ts'

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
  const { points, attainable } = scoreToolUse(expected, made)
  const rule = made.length === 0 ? 'no calls' : 'compared calls'
  return { score: attainable > 0 ? points / attainable : null, rule, value: made, gold: expected }
}
