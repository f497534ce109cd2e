import type { Sample } from '../../src/core/benchmark.ts'
import type { ChoiceRecord } from '../benchmarks/multiple-choice/record.ts'

// What the prompt of a multiple-choice question is made from.
export function choiceRecord({ id, video, question, record }: Sample): ChoiceRecord {
  return { id, video, question: question.text, options: question.options ?? [], groups: {}, record }
}
