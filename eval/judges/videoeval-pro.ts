import {
  isReleasedPrompt,
  judgePrompt,
  ownJudgePrompt,
  readGrade,
  released,
} from '../benchmarks/videoeval-pro/judge.ts'
import { checkTemplate } from './check-template.ts'
import type { Protocol } from './protocol.ts'
import { gradeShortAnswer } from './short-answer.ts'

// One letter: correct, incorrect, not attempted.
const videoEvalPro: Protocol = {
  task: 'open',
  judges: () => true,
  async judge({ sample, reply, wording = ownJudgePrompt, step }) {
    const asked = { question: sample.question.text, target: sample.reference ?? '', predicted: reply }
    await step(
      'open',
      () => ({
        text: judgePrompt(asked, wording),
        temperature: released.temperature,
        maxTokens: wording === ownJudgePrompt ? 64 : released.maxTokens,
      }),
      raw => readGrade(raw) !== undefined,
      3,
    )
  },
  words(sample, reply) {
    const { score, rule } = gradeShortAnswer(reply, sample.reference ?? '', sample.question.text)
    const letter = score === 1 && rule !== 'partly' ? 'A' : rule === 'abstained' || rule === 'partly' ? 'C' : 'B'
    return { open: letter }
  },
  checkWording(text, place) {
    checkTemplate(text, place, ['question', 'target'])
    return { released: isReleasedPrompt(text) }
  },
}
export default videoEvalPro
