import type { Sample } from '../data/sample.ts'
import { letterAt } from '../metrics/choice/options.ts'
import type { AgentReply, AgentRequest } from './benchmark.ts'

// The one question of a multiple-choice benchmark.
export function choiceAsk(sample: Sample, name = 'answer'): AgentRequest {
  const letterOrText = (asked: AgentReply) => readChoiceLetter(asked) ?? asked.answer.text
  return { name, video: sample.video, question: sample.question, replies: { [name]: letterOrText } }
}

// The question without its options.
export function openAsk({ video, question: { text } }: Sample, name = 'answer'): AgentRequest {
  return { name, video, question: { text }, replies: { [name]: ({ answer }) => answer.text } }
}

export function readChoiceLetter({ answer }: AgentReply): string | undefined {
  return answer.choice === undefined ? undefined : letterAt(answer.choice)
}
