import { basename, extname } from 'node:path'
import { letterAt, letterIndex } from '../../metrics/choice/options.ts'
import type { MappedRecord } from './record-map.ts'

// What a field of a benchmark's own records holds, where `bench map` writes them. Fields beside these come by the map's "more".
export type MappedField = keyof typeof sources

export interface MappedFields {
  fields: Readonly<Record<string, MappedField>>
  task?(text: string): string | undefined // by what files call it
  more?: readonly string[] // fields that its records need beside, proposed where a file has them under these names
}

const sources = {
  id: ({ id }: MappedRecord, place: number) => id ?? String(place),
  video: ({ video }: MappedRecord) => video,
  stem: ({ video }: MappedRecord) => basename(video, extname(video)),
  task: ({ task }: MappedRecord) => task,
  'sub task': ({ sub_task }: MappedRecord) => sub_task,
  question: ({ question }: MappedRecord) => question,
  options: ({ options }: MappedRecord) => options,
  'options with letters': ({ options }: MappedRecord) => options.map((option, at) => `${letterAt(at)}. ${option}`),
  letter: ({ answer }: MappedRecord) => answer,
  place: ({ answer }: MappedRecord) => letterIndex(answer),
  text: ({ options, answer }: MappedRecord) => options[letterIndex(answer) ?? -1],
  split: ({ split }: MappedRecord) => split,
}

export function writtenRecord(record: MappedRecord, place: number, { fields }: MappedFields): Record<string, unknown> {
  const mappedFields = Object.entries(fields).map(([name, source]) => [name, sources[source](record, place)] as const)
  return Object.fromEntries(
    [...mappedFields, ...Object.entries(record.more ?? {})].filter(([, value]) => value !== undefined),
  )
}
