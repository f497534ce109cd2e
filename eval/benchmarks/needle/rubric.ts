import { formatTime } from '../../../src/core/time.ts'
import type { Draft } from './questions/draft.ts'
import type { Criterion } from './record.ts'

// A weighted rubric as LongShOTBench writes it: what must be there, what is good to have, what must not be said.
export function rubricOf(draft: Draft): Criterion[] {
  const { answer, expect, clues } = draft
  const criteria: Criterion[] = [
    {
      name: 'factual_correctness',
      description:
        expect.form === 'abstain'
          ? 'States that the video does not say this or does not show it.'
          : `States correctly: ${answer}`,
      category: 'high_priority',
      weight: 5,
      is_penalty: false,
      expect: 'rivals' in expect ? { ...expect, rivals: [] } : expect,
    },
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
  const said = 'rivals' in expect ? expect.rivals : draft.wrong
  if (said.length > 0 && expect.form !== 'order' && expect.form !== 'share' && expect.form !== 'number')
    criteria.push({
      name: 'hallucination',
      description: `Must not give any of these as the answer: ${said.join('; ')}.`,
      category: 'penalty',
      weight: -5,
      is_penalty: true,
      expect: { form: 'unsaid', rivals: said, ...(expect.form === 'words' && { right: expect.groups }) },
    })
  return criteria
}
