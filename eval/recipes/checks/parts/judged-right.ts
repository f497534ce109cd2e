import { z } from 'zod'
import { fence } from '../../../../src/core/words/fence.ts'
import type { CheckGiven, DraftItem } from '../../item.ts'
import { askJson } from './ask.ts'
import { highCriteria } from './criteria.ts'

const Graded = z.object({ score: z.number().min(0).max(10) })

// By its high-priority criteria where it has a rubric; else 8 of 10 points at least.
export async function isJudgedRight(
  item: DraftItem,
  said: string,
  { models, thresholds, signal }: CheckGiven,
  by = models('judge')[0],
): Promise<boolean> {
  if (!by) return false
  const criteria = highCriteria(item)
  const prompt = [
    'How right is the answer to the question, from 0 to 10? 10: it says all that is asked for. 0: it does not.',
    criteria.length > 0
      ? `Give 10 only where it meets each of these, else less than 8:\n${criteria.map(({ description }) => `- ${description}`).join('\n')}`
      : `The right answer: ${item.answer}`,
    `Question: ${item.question}`,
    fence('answer', said),
  ].join('\n\n')
  const { value } = await askJson(by, { name: 'score', schema: Graded, text: prompt }, signal)
  return value !== undefined && value.score >= (thresholds.points ?? 8)
}
