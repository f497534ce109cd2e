import type { Sample } from '../../src/core/benchmark.ts'
import { expectedCalls } from '../benchmarks/longshot/agentic/tool-calls.ts'
import { isDict } from '../benchmarks/longshot/python-error.ts'
import { conversationOf } from '../benchmarks/longshot/turns.ts'

export interface RubricCriterion {
  name: string
  description: string
  weight: number
  penalty: boolean
}

// The criteria of the turn that a sample of LongShOTBench asks about.
export function criteriaOf(sample: Sample): RubricCriterion[] {
  const turn = conversationOf(sample.record)[turnOf(sample)]
  const criteria = Array.isArray(turn?.criteria) ? turn.criteria.filter(isDict) : []
  if (criteria.length === 0 && expectedOf(sample).length > 0) return [finalAnswer]
  return criteria.map(criterion => ({
    name: String(criterion.name ?? ''),
    description: String(criterion.description ?? ''),
    weight: typeof criterion.weight === 'number' ? criterion.weight : 0,
    penalty: criterion.is_penalty === true,
  }))
}

// The calls that an agentic turn expects; none where the turn is not one.
export function expectedOf(sample: Sample): unknown[] {
  const turn = conversationOf(sample.record)[turnOf(sample)]
  return turn ? expectedCalls(turn) : []
}

// What is left to a judge of an agentic turn: its calls are compared.
const finalAnswer: RubricCriterion = {
  name: 'final_answer_correctness',
  description: 'Must answer the question fully and correctly from what the tools returned.',
  weight: 3,
  penalty: false,
}

// A sample is known by its conversation and the place of the assistant's turn in it: "sample_3__t1".
export function turnOf({ id }: Pick<Sample, 'id'>): number {
  return Number(/__t(\d+)$/.exec(id)?.[1] ?? 1)
}

// The judge's step for the criterion at this place.
export function stepOf(place: number): string {
  return `criterion_${place}`
}
