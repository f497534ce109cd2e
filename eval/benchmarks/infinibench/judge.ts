import { errorText, UsageError } from '../../../src/core/errors.ts'
import { sha256 } from '../../../src/core/json.ts'
import type { Sample } from '../../data/sample.ts'
import { gradeShortAnswer } from '../../metrics/short-answer.ts'
import type { CalibrationQuestion } from '../../protocols/judge/calibration/calibration-set.ts'
import { shortSample } from '../../protocols/judge/calibration/short-sample.ts'
import type { Protocol } from '../../protocols/judge/protocol.ts'
import { parseLiteral } from '../../python/literal.ts'
import { isDict, type PythonValue, pythonNumber, pythonRepr, pythonText } from '../../python/value.ts'
import { type InfiniBenchRecord, isChoiceSkill } from './record.ts'

export type InfinibenchJudgment = { score: number; justification: string } | { score: null; error: string }

// As released: the reply must be a Python literal, a dict with a score that is an int from 0 to 10 and a justification.
// So a code fence, 7.0, "7", and JSON's true or null anywhere fail; Python's True is 1.
export function readScore(reply: string | null): InfinibenchJudgment {
  if (reply === null) return { score: null, error: 'no reply' }
  let value: PythonValue
  try {
    value = parseLiteral(reply)
  } catch (error) {
    return { score: null, error: errorText(error) }
  }
  if (!isDict(value) || !value.has('score') || !value.has('justification'))
    return { score: null, error: `Invalid response format: ${pythonRepr(value)}` }
  const score = value.get('score') ?? null
  const whole = typeof score === 'number' ? undefined : pythonNumber(score)
  if (whole === undefined || whole < 0 || whole > 10)
    return { score: null, error: `Invalid score: ${pythonText(score)}. Must be integer between 0-10` }
  return { score: whole, justification: pythonText(value.get('justification') ?? null) }
}

export const infiniBenchReleasedJudge = {
  model: 'gpt-4o-mini',
  temperature: 0.1,
  maxTokens: 500,
  timeoutSeconds: 30,
  format: 'json_object',
  tries: 4,
  systemCharacters: 1581,
  systemSha256: '4bd6c83b40e423eaf44f803272203e4a9a71703b15410da786e8b24f6a0c4d09',
}

// Our words. The released system text may come from a person's own file; `isReleasedSystem` knows it by its hash.
export const ownSystem = `You judge how well an answer to a question about a video agrees with the right answer.

Look at the meaning: are the facts right, is everything important of the right answer there, and nothing made up or contradicting it? Other words for the same thing are as good; style does not matter. When in doubt be strict, but fair.

Give a whole number from 0 (nothing right) to 10 (says the same), and one to three sentences why.

Reply with JSON of this form and nothing else:
{"score": 7, "justification": "It has the main point, but leaves out where it happens."}`

export function judgeText(asked: { question: string; answer: string; predicted: string }): string {
  return `Question: ${asked.question}\nRight answer: ${asked.answer}\nAnswer to judge: ${asked.predicted}\n\nReply with the JSON object.`
}

export function isReleasedSystem(text: string): boolean {
  return sha256(text) === infiniBenchReleasedJudge.systemSha256
}

// A whole number from 0 to 10 with a reason; only the four reasoning skills are judged.
export const infiniBenchProtocol: Protocol<InfiniBenchRecord> = {
  task: 'answer',
  wordingOption: 'judgeSystem',
  judges: sample => !isChoiceSkill(sample.groups.skill),
  async judge({ sample, reply, wording = ownSystem, step }) {
    const judgeFields = { question: sample.question.text, answer: sample.reference ?? '', predicted: reply }
    await step(
      'open',
      () => ({
        system: wording,
        text: judgeText(judgeFields),
        temperature: infiniBenchReleasedJudge.temperature,
        maxTokens: infiniBenchReleasedJudge.maxTokens,
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
      infiniBenchReleasedJudge.tries,
    )
  },
  verdicts: () => [{ step: 'open', scale: 'score' }],
  verdictOf: (_, { open }) => readScore(open ?? null).score,
  calibration: { set: 'scores', sample: calibrationSample, truth: shipped => shipped },
  words(sample, reply) {
    const { score, rule } = gradeShortAnswer(reply, sample.reference ?? '', sample.question.text)
    return { open: `{"score": ${Math.round(score * 10)}, "justification": "words: ${rule}"}` }
  },
  checkWording(text, place) {
    if (text.trim() === '') throw new UsageError(`${place} is empty.`, { hint: 'It should hold the system text.' })
    return { released: isReleasedSystem(text) }
  },
}

function calibrationSample(item: CalibrationQuestion): Sample<InfiniBenchRecord> {
  const skill = 'summarization'
  const record = { id: item.id, skill, question: item.question, answer: item.target, record: new Map() }
  return { ...shortSample(item), groups: { skill }, record }
}
