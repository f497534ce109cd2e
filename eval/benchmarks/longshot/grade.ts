import { isObject } from '../../../src/core/json.ts'
import type { Sample } from '../../data/sample.ts'
import type { Grade, SampleLine } from '../../data/sample-line.ts'
import type { TaskReply } from '../benchmark.ts'
import { scoreToolUse, toolCriteria } from './agentic/criteria.ts'
import { expectedCalls, readToolCalls, type ToolScores } from './agentic/tool-calls.ts'
import { criterionVerdict } from './judge.ts'
import type { Dict } from './python-error.ts'
import { expectedToolCalls, nameStep, rubricCriteria, rubricPoints, turnNumber } from './rubric.ts'
import { readConversation } from './turns.ts'

export function gradeLongshot(sample: Sample, task: string, { reply, judge }: TaskReply): Grade {
  return task === 'tools' ? toolUse(sample, reply) : rubric(sample, reply, judge)
}

// What the criteria met weigh of what can be had. Nothing where one was not judged.
function rubric(sample: Sample, reply: string | null | undefined, judge: TaskReply['judge']): Grade {
  const criteria = rubricCriteria(sample).map((criterion, i) => {
    const { criteria_met } = criterionVerdict(judge[nameStep(i)] ?? null)
    return { ...criterion, met: typeof criteria_met === 'boolean' ? criteria_met : null }
  })
  const gradeInput = { value: reply, gold: sample.reference, criteria }
  const { obtained, total } = rubricPoints(criteria)
  if (!reply?.trim()) return { score: 0, rule: 'no reply', ...gradeInput }
  if (criteria.some(({ met }) => met === null)) return { score: null, rule: 'criteria not judged', ...gradeInput }
  if (total === 0) return { score: null, rule: 'no criterion has weight', ...gradeInput }
  return { score: obtained / total, rule: 'rubric', ...gradeInput }
}

// Tools, parameters and order against those that are expected; extra and wrong calls subtract.
function toolUse(sample: Sample, reply: string | null | undefined): Grade {
  const expected = expectedToolCalls(sample)
  const toolCalls = readToolCalls(reply ?? '')
  const { points, attainable } = scoreToolUse(expected, toolCalls)
  const rule = toolCalls.length === 0 ? 'no calls' : 'compared calls'
  return { score: attainable > 0 ? points / attainable : null, rule, value: toolCalls, gold: expected }
}

// Conversations with the answers and verdicts of their turns, as the released tools keep them.
export function judgedLines(samples: readonly Sample[], lines: readonly SampleLine[]): string[] {
  const byId = new Map(lines.map(line => [line.id, line]))
  const turns = new Map<unknown, Map<number, TurnResult>>()
  for (const sample of samples) {
    const line = byId.get(sample.id)
    if (!line) continue
    const verdicts = rubricCriteria(sample).map((_, i) => line.judge?.replies[nameStep(i)] ?? null)
    const results = turns.get(sample.record) ?? new Map<number, TurnResult>()
    const called = line.replies.tools
    const calls = typeof called === 'string' ? readToolCalls(called) : undefined
    results.set(turnNumber(sample), { answer: line.replies.answer ?? null, verdicts, ...(calls && { calls }) })
    turns.set(sample.record, results)
  }
  return [...turns].map(([record, results]) => JSON.stringify(judgedSample(isObject(record) ? record : {}, results)))
}

// What a run has for one turn: the answer, and for each criterion the judge's raw reply (null: none came).
interface TurnResult {
  answer: string | null
  verdicts: (string | null)[]
  calls?: ToolScores[] // of an agentic turn
}

// A sample with answers and verdicts, as a line of {model}_eval.jsonl: what the released scorer reads. A turn without a
// result has an empty answer and nothing judged.
export function judgedSample(sample: Dict, results: ReadonlyMap<number, TurnResult>): Dict {
  return {
    ...sample,
    conversations: readConversation(sample).map((turn, index) => {
      if (turn.role !== 'assistant') return turn
      const result = results.get(index)
      const criteria = Array.isArray(turn.criteria) ? turn.criteria.filter(isObject) : []
      const expected = expectedCalls(turn)
      const answered = { ...turn, candidate_response: result?.answer ?? '' }
      if (criteria.length === 0 && expected.length > 0)
        return {
          ...answered,
          parsed_tool_calls: result?.calls ?? [],
          criteria: judgedToolCriteria(expected, result),
        }
      const judged = criteria.map((criterion, i) => ({
        ...criterion,
        ...criterionVerdict(result?.verdicts[i] ?? null),
      }))
      return { ...answered, criteria: judged }
    }),
  }
}

// The rubric that the first version makes from the expected calls. Whether its parts are met is found by comparing the calls, but for
// the final answer, which is the judge's.
function judgedToolCriteria(expected: readonly unknown[], result: TurnResult | undefined): Dict[] {
  const resultCalls = result?.calls ?? []
  const { parts, full } = scoreToolUse(expected, resultCalls)
  const met: Record<string, boolean> = {
    tool_selection_accuracy: parts.tools === full.tools && parts['wrong tools'] === 0,
    required_parameter_accuracy: parts['required parameters'] === full['required parameters'],
    optional_parameter_precision: parts['optional parameters'] === full['optional parameters'],
    sequence_logic: parts.order === 1,
    efficiency_penalty: parts['extra calls'] === 0,
    wrong_tool_call: parts['wrong tools'] === 0,
  }
  return toolCriteria(expected).map(criterion => ({
    ...criterion,
    ...(Object.hasOwn(met, criterion.name)
      ? { criteria_met: resultCalls.length > 0 && met[criterion.name] }
      : criterionVerdict(result?.verdicts[0] ?? null)),
  }))
}
