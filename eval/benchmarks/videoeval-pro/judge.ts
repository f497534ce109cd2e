import { sha256 } from '../../../src/core/json.ts'
import { gradeShortAnswer } from '../../metrics/short-answer.ts'
import { checkTemplate, fillTemplate } from '../../protocols/fill-template.ts'
import { shortSample } from '../../protocols/judge/calibration/short-sample.ts'
import type { Protocol } from '../../protocols/judge/protocol.ts'
import { strip } from '../../python/text.ts'

type Grade = 'A' | 'B' | 'C' // correct, incorrect, not attempted

// As released: right is a reply whose first sign is an A. Nothing to read (null, '') is a failure, which the released
// count takes for right. So "CORRECT" and "(A)" are wrong, "Ambiguous" is right.
export function gradeAsReleased(reply: string | null): 'right' | 'wrong' | 'failed' {
  const first = [...strip(reply ?? '')][0]
  return first === undefined ? 'failed' : first.toUpperCase() === 'A' ? 'right' : 'wrong'
}

const lettered =
  /^(?:(?:grade|answer|verdict)\s*(?:is|:)?\s*)?[\s"'`*([{]*([ABC])[\s"'`*)\]}.:-]*(correct|incorrect|not[_ ]attempted)?[\s"'`*).]*$/i
const named: [RegExp, Grade][] = [
  [/\bincorrect\b/i, 'B'],
  [/\bnot[_ ]attempted\b/i, 'C'],
  [/(?<!in)\bcorrect\b/i, 'A'],
]

// The grade a person would read: the letter, in quotes or brackets too, or exactly one of the words.
export function readGrade(reply: string | null | undefined): Grade | undefined {
  const text = (reply ?? '').trim()
  const match = lettered.exec(text)
  const words = named.filter(([word]) => word.test(text)).map(([, grade]) => grade)
  if (match) {
    const letter = match[1]?.toUpperCase() as Grade
    return words.every(word => word === letter) && words.length <= 1 ? letter : undefined
  }
  return words.length === 1 ? words[0] : undefined
}

// Length and sha256 of the released prompt, filled with the words of `released.filledWith`.
export const videoEvalProReleasedJudge = {
  model: 'gpt-4o-2024-08-06',
  temperature: 0,
  maxTokens: 5,
  characters: 5861,
  sha256: 'e42db1a4d8e483ac5aeaf8230f3f4ce9b60bd9824affde9b28c734c7718b13bc',
  filledWith: { question: 'judge question 00?', target: 'gold', predicted: 'pred' },
}

// Our words; `{question}`, `{target}` and `{predicted}` are filled in. A person may supply the released text instead.
export const ownJudgePrompt = `You grade an answer to a question about a video. You see the question, the target (what is held to be right) and the answer.

A means correct: everything important in the target is in the answer and nothing in it contradicts the target. Only the meaning counts, not spelling, case, order or grammar. Doubt is fine as long as the whole target is there.
B means incorrect: something in the answer contradicts the target, even if it is said with doubt or next to the right thing.
C means not attempted: something important is missing and nothing contradicts the target, or the answer declines.

Numbers must be right to the last significant digit of the target: for 120k, 124k and 115k are correct, 100k and 113k incorrect, "around 100k" not attempted.
The target may say more than was asked; only what was asked must be in the answer. What the question already says need not be repeated: a unit, a surname, the word "award".
A slip in spelling a name is forgiven where the name is clearly the same.

Question: {question}
Target: {target}
Answer: {predicted}

Reply with one letter and nothing else: A, B or C.`

export function judgePrompt(
  asked: { question: string; target: string; predicted: string },
  template = ownJudgePrompt,
): string {
  return fillTemplate(template, { ...asked, predicted_answer: asked.predicted })
}

export function isReleasedVideoEvalProPrompt(template: string): boolean {
  return sha256(judgePrompt(videoEvalProReleasedJudge.filledWith, template)) === videoEvalProReleasedJudge.sha256
}

// One letter: correct, incorrect, not attempted.
export const videoEvalProProtocol: Protocol = {
  task: 'open',
  wordingOption: 'judgePrompt',
  judges: () => true,
  async judge({ sample, reply, wording = ownJudgePrompt, step }) {
    const judgeFields = { question: sample.question.text, target: sample.reference ?? '', predicted: reply }
    await step(
      'open',
      () => ({
        text: judgePrompt(judgeFields, wording),
        temperature: videoEvalProReleasedJudge.temperature,
        maxTokens: wording === ownJudgePrompt ? 64 : videoEvalProReleasedJudge.maxTokens,
      }),
      raw => readGrade(raw) !== undefined,
      3,
    )
  },
  verdicts: () => [{ step: 'open', scale: 'grade' }],
  verdictOf(_, { open }) {
    const grade = readGrade(open)
    return grade === undefined ? null : 'ABC'.indexOf(grade)
  },
  calibration: { set: 'short answers', sample: shortSample, truth: shipped => shipped },
  words(sample, reply) {
    const { score, rule } = gradeShortAnswer(reply, sample.reference ?? '', sample.question.text)
    const letter = score === 1 && rule !== 'partly' ? 'A' : rule === 'abstained' || rule === 'partly' ? 'C' : 'B'
    return { open: letter }
  },
  checkWording(text, place) {
    checkTemplate(text, place, ['question', 'target'])
    return { released: isReleasedVideoEvalProPrompt(text) }
  },
}
