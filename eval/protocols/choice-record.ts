import type { Sample } from '../../src/core/benchmark.ts'
import type { ChoiceRecord } from '../benchmarks/multiple-choice/record.ts'

// What the prompt of a multiple-choice question is made from.
export function choiceRecord({ id, video, question, record }: Sample): ChoiceRecord {
  return { id, video, question: question.text, options: question.options ?? [], groups: {}, record }
}

// Options as "A. text" lines, for a person's own prompt.
export function optionLines({ question: { options = [] } }: Sample): string {
  return options.map((option, i) => `${String.fromCharCode(65 + i)}. ${option}`).join('\n')
}
