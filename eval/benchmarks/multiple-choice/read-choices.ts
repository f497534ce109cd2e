import { z } from 'zod'
import { splitByName } from '../../data/files.ts'
import { parseRecord } from '../../data/parse-record.ts'
import { readRecords } from '../../data/records.ts'
import { readReplyChoice } from '../../metrics/choice/read-choice.ts'
import { shownSettings } from '../../protocols/show.ts'
import type { BenchmarkData } from '../benchmark.ts'
import { promptSetting } from '../prompt-file.ts'
import type { ReleasedRule } from './grade.ts'
import type { ChoiceRecord } from './record.ts'

// What a benchmark says of its questions: their form, and how each becomes a record.
interface ChoiceReader<Question extends z.ZodType> {
  name: string
  files: RegExp // the names of its annotation files
  splits?: Record<string, string[]>
  question: Question
  rows?(value: unknown): unknown[] // the questions below a record of a file; itself where left out
  // Undefined: a question that is not asked here. `place`: in the file, from 0.
  record(question: z.infer<Question>, place: number, file: string): Omit<ChoiceRecord, 'record'> | undefined
}

// The files and records of a benchmark that asks one multiple-choice question a record.
export function choiceData<Question extends z.ZodType>(reader: ChoiceReader<Question>): BenchmarkData<ChoiceRecord> {
  const { name, files, splits = {}, question: shape, rows = value => [value], record } = reader
  return {
    annotations: { isFile: file => files.test(file), splitOf: splitByName(splits) },
    records: async paths => {
      const records: ChoiceRecord[] = []
      for (const file of paths)
        for (const [place, row] of (await readRecords(file)).flatMap(rows).entries()) {
          const question = parseRecord(shape, row, name, `${file}, question ${place}`)
          const choice = record(question, place, file)
          if (choice) records.push({ ...choice, record: question })
        }
      return records
    },
  }
}

export function choiceSettings(frames: number) {
  return z.object({ ...shownSettings(frames), prompt: promptSetting })
}

// Of a group that a record may lack.
export function readGroup(value: unknown): string[] {
  return value === undefined || value === null || value === '' ? [] : [String(value)]
}

// Where no scorer is released: the letter as strict scoring reads it, and everything counts.
export const ownRule: ReleasedRule = {
  read: (reply, { options }) => readReplyChoice(reply, { count: options.length, texts: options }).letter ?? '',
  unreadable: 'wrong',
  unanswered: 'wrong',
}
