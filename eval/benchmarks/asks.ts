import type { Ask, Asked } from './benchmark.ts'
import type { Sample } from './sample.ts'

// The one question of a multiple-choice benchmark.
export function choiceAsk(sample: Sample, name = 'answer'): Ask {
  return { name, video: sample.video, question: sample.question, replies: { [name]: letterOrText } }
}

// The question without its options.
export function openAsk({ video, question: { text } }: Sample, name = 'answer'): Ask {
  return { name, video, question: { text }, replies: { [name]: ({ answer }) => answer.text } }
}

export function letterOf({ answer }: Asked): string | undefined {
  return answer.choice === undefined ? undefined : String.fromCharCode(65 + answer.choice)
}

function letterOrText(asked: Asked): string {
  return letterOf(asked) ?? asked.answer.text
}
