import { isObject, sha256 } from '../../../src/core/json.ts'
import { coverage } from '../../../src/text/word-similarity.ts'
import { isStopWord, tokens } from '../../../src/text/words.ts'
import type { Sample } from '../../data/sample.ts'
import { abstains } from '../../metrics/answer-text.ts'
import { checkTemplate, fillTemplate } from '../../protocols/fill-template.ts'
import type { CalibrationQuestion } from '../../protocols/judge/calibration/calibration-set.ts'
import { shortSample } from '../../protocols/judge/calibration/short-sample.ts'
import type { Protocol } from '../../protocols/judge/protocol.ts'
import { parsePlainJson } from '../../python/json.ts'
import type { Dict } from './python-error.ts'
import { nameStep, type RubricCriterion, rubricCriteria } from './rubric.ts'

// One call per criterion; the judge sees the reference, the answer and the criterion, not the question.
export const longshotReleasedJudge = {
  model: 'Qwen/Qwen3-14B',
  temperature: 0.1,
  topP: 1,
  maxTokens: 4096,
  timeoutSeconds: 60,
  tries: 3,
  schema: {
    name: 'criteria_evaluation',
    schema: { type: 'object', properties: { criteria_met: { type: 'boolean' } }, required: ['criteria_met'] },
  },
  filledWith: { reference: 'REFERENCE', candidate: 'CANDIDATE', criterion: 'Must mention the rain' },
  characters: 730,
  sha256: '41f2bd07998eb2ee1361793335e806c33bbf538ded9d8be37770a6f3a997cbc5',
}

// Our words; `{reference}`, `{candidate}` and `{criterion}` are filled in. A person may supply the released text instead.
export const longshotJudgePrompt = `You check one thing about an answer to a question on a video. The reference is held to be true.

Reference:
{reference}

Answer to check:
{candidate}

What to check:
{criterion}

Look at this one thing only, and compare the answer with the reference. Say true where the answer fulfils it, else false. Where it says what the answer must not do, true means that the answer does not do it.

Reply with JSON and nothing else: {"criteria_met": true} or {"criteria_met": false}`

export function isReleasedLongshotPrompt(template: string): boolean {
  return sha256(fillTemplate(template, longshotReleasedJudge.filledWith)) === longshotReleasedJudge.sha256
}

// The value of criteria_met, whatever it is: the released tools check no type, so "false" in quotes is kept and counts as met.
function readVerdict(reply: string | null): unknown {
  if (reply === null) throw new Error('The judge returned no content.')
  const value = parsePlainJson(reply)
  if (!isObject(value) || !Object.hasOwn(value, 'criteria_met')) throw new Error("'criteria_met'")
  return value.criteria_met
}

export function criterionVerdict(reply: string | null): Dict {
  try {
    return { criteria_met: readVerdict(reply) }
  } catch (error) {
    return { criteria_met: null, evaluation_error: error instanceof Error ? error.message : String(error) }
  }
}

// A call for each criterion. The judge sees the reference, the answer and the criterion; never the question.
export const longshotProtocol: Protocol = {
  task: 'answer',
  wordingOption: 'judgePrompt',
  judges: sample => rubricCriteria(sample).length > 0,
  calls: sample => rubricCriteria(sample).length,
  async judge({ sample, reply, wording = longshotJudgePrompt, step }) {
    for (const [i, { description }] of rubricCriteria(sample).entries()) {
      const check = { reference: sample.reference ?? '', candidate: reply, criterion: description }
      await step(
        nameStep(i),
        () => ({
          text: fillTemplate(wording, check),
          temperature: longshotReleasedJudge.temperature,
          maxTokens: longshotReleasedJudge.maxTokens,
          schema: longshotReleasedJudge.schema,
        }),
        isVerdict,
        longshotReleasedJudge.tries,
      )
    }
  },
  verdicts: sample =>
    rubricCriteria(sample).map(({ description }, i) => ({ step: nameStep(i), scale: 'yes', about: description })),
  verdictOf(step, replies) {
    const { criteria_met } = criterionVerdict(replies[step] ?? null)
    return typeof criteria_met === 'boolean' ? Number(criteria_met) : null
  },
  calibration: { set: 'criteria', sample: calibrationSample, truth: shipped => shipped },
  words(sample, reply) {
    return Object.fromEntries(
      rubricCriteria(sample).map((criterion, i) => [
        nameStep(i),
        `{"criteria_met": ${meetsByWords(criterion, reply)}}`,
      ]),
    )
  },
  checkWording(text, place) {
    checkTemplate(text, place, ['reference', 'candidate', 'criterion'])
    return { released: isReleasedLongshotPrompt(text) }
  },
}

function isVerdict(raw: string): boolean {
  return typeof criterionVerdict(raw).criteria_met === 'boolean'
}

// A conversation of one turn with one criterion.
function calibrationSample(item: CalibrationQuestion): Sample {
  const criteria = item.criterion
    ? [{ name: 'checked', weight: 1, description: item.criterion.description, is_penalty: item.criterion.penalty }]
    : []
  const conversations = [
    { role: 'user', content: item.question },
    { role: 'assistant', content: item.target, criteria },
  ]
  return { ...shortSample(item), id: `${item.id}__t1`, record: { conversations } }
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
