import { readVerdict } from './judge.ts'
import { type Dict, isDict } from './python-error.ts'
import { conversationOf } from './turns.ts'

// What a run has for one turn: the answer, and for each criterion the judge's raw reply (null: none came).
export interface TurnResult {
  answer: string | null
  verdicts: (string | null)[]
}

// A sample with answers and verdicts, as a line of {model}_eval.jsonl: what the released scorer reads. A turn without a
// result has an empty answer and nothing judged.
export function judgedSample(sample: Dict, results: ReadonlyMap<number, TurnResult>): Dict {
  return {
    ...sample,
    conversations: conversationOf(sample).map((turn, index) => {
      if (turn.role !== 'assistant') return turn
      const result = results.get(index)
      const criteria = Array.isArray(turn.criteria) ? turn.criteria.filter(isDict) : []
      return {
        ...turn,
        candidate_response: result?.answer ?? '',
        criteria: criteria.map((criterion, i) => ({ ...criterion, ...verdictOf(result?.verdicts[i] ?? null) })),
      }
    }),
  }
}

function verdictOf(reply: string | null): Dict {
  try {
    return { criteria_met: readVerdict(reply) }
  } catch (error) {
    return { criteria_met: null, evaluation_error: error instanceof Error ? error.message : String(error) }
  }
}
