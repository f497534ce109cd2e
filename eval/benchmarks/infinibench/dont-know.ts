import type { Sample } from '../../data/sample.ts'
import type { InfiniBenchRecord } from './record.ts'

// The place of "I don't know" among the options; -1 if it is not one.
export function dontKnowAt(options: readonly string[] = []): number {
  return options.findIndex(option => /^i\s+(?:do\s+not|don['\u2019]?t)\s+know\.?$/i.test(option.trim()))
}

// A question without that option: the options after it move up by one, and the right one with them.
export function withoutDontKnow(sample: Sample<InfiniBenchRecord>): Sample<InfiniBenchRecord> {
  const { question, choice } = sample
  const at = dontKnowAt(question.options)
  if (at < 0) return sample
  const options = question.options?.filter((_, i) => i !== at)
  return {
    ...sample,
    question: { ...question, options },
    ...(choice !== undefined && { choice: choice > at ? choice - 1 : choice }),
  }
}

// The number that the data give to the option at this place of what was asked.
export function officialNumber(place: number | undefined, { question, record }: Sample<InfiniBenchRecord>): string {
  if (place === undefined) return ''
  const at = dontKnowAt(record.options)
  const isMoved = at >= 0 && (question.options?.length ?? 0) < (record.options?.length ?? 0)
  return String(isMoved && place >= at ? place + 1 : place)
}
