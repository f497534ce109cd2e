import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import { letterAt, letterIndex, rightOption } from '../metrics/choice/options.ts'
import { childrenOf, type Path, valuesAt } from './paths.ts'

const path = z.string().min(1)

// How records lie in a file. A field is a path below its record, "$.a.*.b" one from the top with the record's own stars, and
// "$2" the name that its second star stands for.
export const RecordMap = z.strictObject({
  records: z.string(), // "films.*.questions.*"; "" for one record
  id: path.optional(),
  video: path,
  task: path.optional(),
  sub_task: path.optional(),
  question: path,
  options: z.union([path, z.array(path).min(2)]),
  answer: path,
  answerIs: z.enum(['letter', 'text', 'from 0', 'from 1']).default('letter'),
  split: path.optional(),
  values: z.record(z.string(), z.record(z.string(), z.string())).default({}), // { task: { "as it stands": "as it is called" } }
})
export type RecordMap = z.infer<typeof RecordMap>

export interface MappedRecord {
  id?: string
  video: string
  task?: string
  sub_task?: string
  question: string
  options: string[]
  answer: string // the letter
  split?: string
}

export interface Placed {
  record: unknown
  stars: Path
  top: unknown
}

export function recordsAt(top: unknown, records: string): Placed[] {
  return [...valuesAt(top, splitPath(records))].map(({ value: record, stars }) => ({ record, stars, top }))
}

export function readByMap(top: unknown, map: RecordMap, file: string): MappedRecord[] {
  const placed = recordsAt(top, map.records)
  if (placed.length === 0)
    throw new UsageError(`${file} holds no record at "${map.records}".`, { hint: 'Correct "records" in the map.' })
  return placed.map((one, at) => readOne(one, map, `${file}, record ${at}`))
}

function readOne(placed: Placed, map: RecordMap, place: string): MappedRecord {
  const need = (field: 'video' | 'question' | 'answer') => {
    const text = textOf(valueAt(placed, map[field]))
    if (text !== undefined) return text
    throw new UsageError(`${place} has nothing at "${map[field]}" (${field}).`, { hint: 'Correct the map.' })
  }
  const maybe = (field: 'id' | 'task' | 'sub_task' | 'split') => {
    const found = map[field] === undefined ? undefined : textOf(valueAt(placed, map[field]))
    return found === undefined ? {} : { [field]: map.values[field]?.[found] ?? found }
  }
  const [video, question, given] = [need('video'), need('question'), need('answer')]
  const options = optionsOf(placed, map.options)
  const choice = choiceOf(given, options, map.answerIs)
  if (choice === undefined)
    throw new UsageError(`${place}: the answer ${JSON.stringify(given)} is none of its ${options.length} options.`, {
      hint: `The map reads it as "${map.answerIs}"; answerIs can be letter, text, from 0, from 1.`,
    })
  return {
    ...maybe('id'),
    video,
    ...maybe('task'),
    ...maybe('sub_task'),
    ...{ question, options, answer: letterAt(choice) },
    ...maybe('split'),
  }
}

export function valueAt({ record, stars, top }: Placed, at: string): unknown {
  const star = /^\$(\d+)$/.exec(at)?.[1]
  if (star !== undefined) return stars[Number(star) - 1]
  if (!at.startsWith('$.')) return [...valuesAt(record, splitPath(at))][0]?.value
  const left = [...stars]
  const filled = splitPath(at.slice(2)).map(name => (name === '*' ? (left.shift() ?? '*') : name))
  return [...valuesAt(top, filled)][0]?.value
}

export function optionsOf(placed: Placed, at: RecordMap['options']): string[] {
  const found =
    typeof at === 'string'
      ? childrenOf(valueAt(placed, at)).map(([, option]) => option)
      : at.map(one => valueAt(placed, one))
  return found.flatMap(option => textOf(option)?.replace(/^\s*\(?[A-H][).:]\s+/, '') ?? [])
}

export function choiceOf(answer: string, options: readonly string[], form: RecordMap['answerIs']): number | undefined {
  const at = {
    letter: () => letterIndex(/^\s*\(?([A-H])(?![\p{L}\p{N}])|^\s*([a-h])\s*$/u.exec(answer)?.[0].replace('(', '')),
    text: () => options.findIndex(option => option.trim() === answer.replace(/^\s*\(?[A-H][).:]\s+/, '').trim()),
    'from 0': () => (/^\d+$/.test(answer) ? Number(answer) : -1),
    'from 1': () => (/^\d+$/.test(answer) ? Number(answer) - 1 : -1),
  }[form]()
  return at === undefined || at < 0 ? undefined : rightOption(at, options)
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

function splitPath(text: string): string[] {
  return text === '' ? [] : text.split('.')
}
