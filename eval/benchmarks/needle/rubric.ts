import { formatTime } from '../../../src/core/time.ts'
import type { QuestionDraft } from './questions/dealer.ts'
import type { Expectation, NeedleCriterion } from './record.ts'

// A weighted rubric as LongShOTBench writes it: what must be there, what is good to have, what must not be said.
export function buildRubric({ answer, expect, clues, wrong }: QuestionDraft): NeedleCriterion[] {
  const fact = expect.form === 'abstain' ? 'States that the video does not say this or does not show it.' : undefined
  const criteria: NeedleCriterion[] = [
    { ...factualCriterion(answer, fact), expect: 'rivals' in expect ? { ...expect, rivals: [] } : expect },
  ]
  if (clues.length > 0 && expect.form !== 'moment')
    criteria.push({
      name: 'key_details',
      description: `Says where in the video this is: ${clues.map(clue => formatTime(clue.start)).join(', ')}.`,
      category: 'low_priority',
      weight: 1,
      is_penalty: false,
      expect: { form: 'moment', spans: clues, slack: 3 },
    })
  const rivals = 'rivals' in expect ? expect.rivals : expect.form === 'moment' ? wrong : []
  if (rivals.length > 0)
    criteria.push({
      name: 'hallucination',
      description: `Must not give any of these as the answer: ${rivals.join('; ')}.`,
      category: 'penalty',
      weight: -5,
      is_penalty: true,
      expect: { form: 'unsaid', rivals, ...pickRight(expect) },
    })
  return criteria
}

function pickRight(expect: Expectation): { right?: string[][] } {
  if (expect.form === 'words') return { right: expect.groups }
  return expect.form === 'which' ? { right: [expect.right] } : {}
}

export function factualCriterion(
  answer: string,
  description = `States correctly: ${answer}`,
): Omit<NeedleCriterion, 'expect'> {
  return { name: 'factual_correctness', description, category: 'high_priority', weight: 5, is_penalty: false }
}
