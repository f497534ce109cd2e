import { type Sample, statedIn } from '../../data/sample.ts'
import { readKey } from '../../metrics/choice/options.ts'

// A question with lettered options, whatever the benchmark calls its fields.
export interface ChoiceRecord {
  id: string
  video: string
  address?: string
  question: string
  options: string[] // without letters
  answer?: string // the letter; undefined if it is withheld
  key?: string // what the data state instead, where that is none of the options
  groups: Record<string, string[]> // a question may belong to several values of one way
  subtitles?: string
  record: unknown
}

export function sampleOfChoice(record: ChoiceRecord): Sample<ChoiceRecord> {
  const { choice, key = record.key } = readKey(record.answer, record.options)
  return {
    id: record.id,
    video: record.video,
    ...(record.address !== undefined && { address: record.address }),
    question: { text: record.question, options: record.options },
    ...(choice !== undefined && { choice, reference: record.options[choice] }),
    ...(key !== undefined && { key }),
    ...(record.subtitles !== undefined && { subtitles: record.subtitles }),
    groups: Object.fromEntries(Object.entries(record.groups).map(([way, values]) => [way, values.join(', ')])),
    ...statedIn(record.record),
    record,
  }
}
