import { laneMarks } from '../../../../src/core/run/step-spans.ts'
import type { StripMarks } from './strip.tsx'
import type { RunReply } from './types.ts'

// The marks of the first steps of a run; once it has come to its answer, what that cites as well.
export function filmMarks({ steps, answer }: RunReply, count = steps.length): StripMarks {
  const cited = new Set(count === steps.length ? answer?.answer.sentences.flatMap(({ cites }) => cites) : [])
  const rows = answer?.evidence.filter(({ id }) => cited.has(id)) ?? []
  return laneMarks(steps.slice(0, count), rows)
}
