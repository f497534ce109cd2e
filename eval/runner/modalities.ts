import type { Sample } from '../../src/core/benchmark.ts'
import { conversationOf } from '../benchmarks/longshot/turns.ts'
import { turnOf } from './rubric.ts'

// What the data say a question is about: on the record, or on the user's turn of a conversation.
export function modalitiesOf(sample: Sample): string[] | undefined {
  const record = sample.record as { modalities?: unknown } | null
  const turn = conversationOf(sample.record)[turnOf(sample) - 1]
  const tags = record?.modalities ?? turn?.modalities
  const named = Array.isArray(tags) ? tags.filter(tag => typeof tag === 'string') : []
  return named.length > 0 ? named : undefined
}
