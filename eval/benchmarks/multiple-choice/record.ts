import type { Sample } from '../sample.ts'
import { statedIn } from '../sample.ts'

// A question with lettered options, whatever the benchmark calls its fields.
export interface ChoiceRecord {
  id: string
  video: string
  question: string
  options: string[] // without letters
  answer?: string // the letter; undefined where it is withheld
  groups: Record<string, string[]> // a question may belong to several values of one way
  subtitles?: string
  record: unknown
}

export function sampleOfChoice(record: ChoiceRecord): Sample<ChoiceRecord> {
  const choice = rightOption(letterIndex(record.answer), record.options)
  return {
    id: record.id,
    video: record.video,
    question: { text: record.question, options: record.options },
    ...(choice !== undefined && { choice, reference: record.options[choice] }),
    ...(record.subtitles !== undefined && { subtitles: record.subtitles }),
    groups: Object.fromEntries(Object.entries(record.groups).map(([way, values]) => [way, values.join(', ')])),
    ...statedIn(record.record),
    record,
  }
}

// An answer that is none of the options is as good as none.
export function rightOption(index: number | undefined, options: readonly unknown[] = []): number | undefined {
  return index !== undefined && Number.isInteger(index) && index >= 0 && index < options.length ? index : undefined
}

export function letterIndex(letter: string | undefined): number | undefined {
  return letter === undefined ? undefined : letter.trim().toUpperCase().charCodeAt(0) - 65
}

export function letterAt(index: number): string {
  return String.fromCharCode(65 + index)
}

// "A. text", "(A) text" or "A) text" without the letter.
export function withoutLetter(option: string): string {
  return option.replace(/^\s*(?:\([A-Z]\)|[A-Z][.):])\s*/, '')
}
