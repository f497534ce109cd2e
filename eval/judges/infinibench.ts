import { UsageError } from '../../src/core/errors.ts'
import { isReleasedSystem, judgeText, ownSystem, readScore, released } from '../benchmarks/infinibench/judge.ts'
import { choiceSkills } from '../benchmarks/infinibench/record.ts'
import type { Protocol } from './protocol.ts'
import { gradeShortAnswer } from './short-answer.ts'

// A whole number from 0 to 10 with a reason; only the four reasoning skills are judged.
const infiniBench: Protocol = {
  task: 'answer',
  judges: sample => !choiceSkills.includes(sample.groups.skill),
  async judge({ sample, reply, wording = ownSystem, step }) {
    const asked = { question: sample.question.text, answer: sample.reference ?? '', predicted: reply }
    await step(
      'open',
      () => ({
        system: wording,
        text: judgeText(asked),
        temperature: released.temperature,
        maxTokens: released.maxTokens,
        schema: {
          name: 'judgment',
          schema: {
            type: 'object',
            properties: { score: { type: 'integer' }, justification: { type: 'string' } },
            required: ['score', 'justification'],
            additionalProperties: false,
          },
        },
      }),
      raw => readScore(raw).score !== null,
      released.tries,
    )
  },
  words(sample, reply) {
    const { score, rule } = gradeShortAnswer(reply, sample.reference ?? '', sample.question.text)
    return { open: `{"score": ${Math.round(score * 10)}, "justification": "words: ${rule}"}` }
  },
  checkWording(text, place) {
    if (text.trim() === '') throw new UsageError(`${place} is empty.`, { hint: 'It should hold the system text.' })
    return { released: isReleasedSystem(text) }
  },
}
export default infiniBench
