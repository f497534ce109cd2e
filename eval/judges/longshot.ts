import { coverage } from '../../src/text/alike.ts'
import { isStopWord, tokens } from '../../src/text/words.ts'
import { criterionPrompt, isReleasedPrompt, ownPrompt, readVerdict, released } from '../benchmarks/longshot/judge.ts'
import { abstains } from '../benchmarks/needle/meets.ts'
import { criteriaOf, type RubricCriterion, stepOf } from '../runner/rubric.ts'
import { checkTemplate } from './check-template.ts'
import type { Protocol } from './protocol.ts'

// A call for each criterion. The judge sees the reference, the answer and the criterion; never the question.
const longshot: Protocol = {
  task: 'answer',
  judges: sample => criteriaOf(sample).length > 0,
  async judge({ sample, reply, wording = ownPrompt, step }) {
    for (const [i, { description }] of criteriaOf(sample).entries()) {
      const check = { reference: sample.reference ?? '', candidate: reply, criterion: description }
      await step(
        stepOf(i),
        () => ({
          text: criterionPrompt(check, wording),
          temperature: released.temperature,
          maxTokens: released.maxTokens,
          schema: released.schema,
        }),
        isVerdict,
        released.tries,
      )
    }
  },
  words(sample, reply) {
    return Object.fromEntries(
      criteriaOf(sample).map((criterion, i) => [stepOf(i), `{"criteria_met": ${meetsByWords(criterion, reply)}}`]),
    )
  },
  checkWording(text, place) {
    checkTemplate(text, place, ['reference', 'candidate', 'criterion'])
    return { released: isReleasedPrompt(text) }
  },
}
export default longshot

function isVerdict(raw: string): boolean {
  try {
    return typeof readVerdict(raw) === 'boolean'
  } catch {
    return false
  }
}

const instructions =
  /^\s*(?:the\s+(?:answer|response)\s+)?(?:must|should|states?|mentions?|says?|gives?|identifies)\b(?:\s+(?:not|correctly|state|mention|say|give|identify|include|that))*\s*:?/i

// A criterion is met where most of its words are in the answer; whether a penalty applies cannot be told by words.
function meetsByWords({ description, penalty }: RubricCriterion, reply: string): boolean {
  if (penalty) return true
  const words = tokens(description.replace(instructions, '')).filter(token => !isStopWord(token.text))
  if (words.length === 0 || /does not say/.test(description)) return abstains({ text: reply })
  return coverage(words, reply) >= 0.6
}
