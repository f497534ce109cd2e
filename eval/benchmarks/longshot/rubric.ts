import { isObject } from '../../../src/core/json.ts'
import type { Sample } from '../../data/sample.ts'
import { finalAnswer } from './agentic/criteria.ts'
import { expectedCalls } from './agentic/tool-calls.ts'
import type { Dict } from './python-error.ts'
import { readConversation } from './turns.ts'

export interface RubricCriterion {
  name: string
  description: string
  weight: number
  penalty: boolean
  met: boolean | null // null: not judged; a penalty is met when nothing is violated
}

// The criteria of the turn that a sample of LongShOTBench asks about.
export function rubricCriteria(sample: Sample): RubricCriterion[] {
  const criteria = rubricIn(askedTurn(sample))
  return criteria.length === 0 && expectedToolCalls(sample).length > 0
    ? [{ ...finalAnswer, weight: 3, penalty: false, met: null }]
    : criteria
}

export function rubricIn(turn: Dict): RubricCriterion[] {
  const criteria = Array.isArray(turn.criteria) ? turn.criteria.filter(isObject) : []
  return criteria.map(({ name, description, weight, is_penalty, criteria_met }) => ({
    name: String(name ?? ''),
    description: String(description ?? ''),
    weight: typeof weight === 'number' && Number.isFinite(weight) ? weight : 0,
    penalty: is_penalty === true,
    met: typeof criteria_met === 'boolean' ? criteria_met : null,
  }))
}

// Weights of criteria met, less those of violated penalties, and what can be had. What was not judged gives nothing.
export function rubricPoints(criteria: readonly RubricCriterion[]): { obtained: number; total: number } {
  let obtained = 0
  let total = 0
  for (const { weight, penalty, met } of criteria) {
    if (!penalty) total += Math.max(0, weight)
    if (met === null) continue
    if (penalty) obtained -= met ? 0 : Math.abs(weight)
    else if (met) obtained += weight
  }
  return { obtained, total }
}

// The calls that an agentic turn expects; none if the turn is not one.
export function expectedToolCalls(sample: Sample): unknown[] {
  return expectedCalls(askedTurn(sample))
}

function askedTurn(sample: Sample): Dict {
  return readConversation(sample.record)[turnNumber(sample)] ?? {}
}

// A sample is known by its conversation and the place of the assistant's turn in it: "sample_3__t1".
export function turnNumber({ id }: Pick<Sample, 'id'>): number {
  return Number(/__t(\d+)$/.exec(id)?.[1] ?? 1)
}

// The judge's step for the criterion at this place.
export function nameStep(place: number): string {
  return `criterion_${place}`
}
