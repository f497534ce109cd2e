import { z } from 'zod'
import { UsageError } from '../../../src/core/errors.ts'
import { letterAt, letterIndex, rightOption } from '../../metrics/choice/options.ts'
import { type JsonPath, listChildren, valueAt, valuesAt } from './paths.ts'

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
  more: z.record(z.string(), path).default({}), // fields that the benchmark's records need beside, as they are
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
  more?: Record<string, unknown>
}

export interface Placed {
  record: unknown
  stars: JsonPath
  top: unknown
}

export function recordsAt(top: unknown, records: string): Placed[] {
  return [...valuesAt(top, splitPath(records))].map(({ value: record, stars }) => ({ record, stars, top }))
}

export function readByMap(top: unknown, map: RecordMap, file: string): MappedRecord[] {
  const placed = recordsAt(top, map.records)
  if (placed.length === 0)
    throw new UsageError(`${file} holds no record at "${map.records}".`, { hint: 'Correct "records" in the map.' })
  const read = placed.map((one, at) => readOne(one, map, `${file}, record ${at}`))
  refuseTwins(read, map, file)
  return read
}

// A reply goes by the id of its question. Records without one go by their places.
export function refuseTwins(records: readonly MappedRecord[], { id: path }: RecordMap, file: string): void {
  const places = new Map<string, number>()
  for (const [place, { id }] of records.entries()) {
    if (id === undefined) continue
    const first = places.get(id)
    if (first !== undefined)
      throw new UsageError(
        `${file}: records ${first} and ${place} have the same id ${JSON.stringify(id)} at "${path}".`,
        {
          hint: 'Name a field in the map that differs from record to record, or leave "id" out: records are counted then.',
        },
      )
    places.set(id, place)
  }
}

function readOne(placed: Placed, map: RecordMap, place: string): MappedRecord {
  const need = (field: 'video' | 'question' | 'answer') => {
    const text = asText(recordValue(placed, map[field]))
    if (text !== undefined) return text
    throw new UsageError(`${place} has nothing at "${map[field]}" (${field}).`, { hint: 'Correct the map.' })
  }
  const maybe = (field: 'id' | 'task' | 'sub_task' | 'split') => {
    const mappedText = map[field] === undefined ? undefined : asText(recordValue(placed, map[field]))
    if (mappedText === undefined) return {}
    const names = map.values[field] ?? {}
    return { [field]: Object.hasOwn(names, mappedText) ? names[mappedText] : mappedText }
  }
  const [video, question, given] = [need('video'), need('question'), need('answer')]
  const more = Object.fromEntries(Object.entries(map.more).map(([name, at]) => [name, recordValue(placed, at)]))
  const options = wholeOptions(placed, map, place)
  const choice = readMappedChoice(given, options, map.answerIs)
  if (choice === undefined)
    throw new UsageError(`${place}: the answer ${JSON.stringify(given)} is not one of its ${options.length} options.`, {
      hint: `The map reads it as "${map.answerIs}"; answerIs can be letter, text, from 0, from 1.`,
    })
  return {
    ...maybe('id'),
    video,
    ...maybe('task'),
    ...maybe('sub_task'),
    question,
    options,
    answer: letterAt(choice),
    ...maybe('split'),
    ...(Object.keys(more).length > 0 && { more }),
  }
}

export function recordValue({ record, stars, top }: Placed, at: string): unknown {
  const star = /^\$(\d+)$/.exec(at)?.[1]
  if (star !== undefined) return stars[Number(star) - 1]
  if (!at.startsWith('$.')) return valueAt(record, splitPath(at))
  const remainingStars = [...stars]
  const filled = splitPath(at.slice(2)).map(name => (name === '*' ? (remainingStars.shift() ?? '*') : name))
  return valueAt(top, filled)
}

const lettered = /^\s*\(?([A-H])[).:]\s+/

// In their places: undefined if there is no text. Empty places at the end are left away.
export function recordOptions(placed: Placed, at: RecordMap['options']): (string | undefined)[] {
  const optionValues =
    typeof at === 'string'
      ? inOrder(recordValue(placed, at)).map(([, option]) => option)
      : at.map(one => recordValue(placed, one))
  const texts = optionValues.map(asText)
  const all = texts.slice(0, texts.findLastIndex(text => text !== undefined) + 1)
  // "A. Lincoln" is a name: letters are left away where all options have that of their place.
  const areLettered = all.every((text, at) => text === undefined || lettered.exec(text)?.[1] === letterAt(at))
  return areLettered ? all.map(text => text?.replace(lettered, '')) : all
}

const byNumber = new Intl.Collator('en', { numeric: true })

// Options under letters or numbers go by these, however the file has them.
function inOrder(value: unknown): [string, unknown][] {
  const children = listChildren(value)
  return Array.isArray(value) ? children : children.sort(([a], [b]) => byNumber.compare(a, b))
}

// A place without a text would move those after it, and the answer with them.
function wholeOptions(placed: Placed, map: RecordMap, place: string): string[] {
  const options = recordOptions(placed, map.options)
  const whole = options.filter(option => option !== undefined)
  if (whole.length === options.length) return whole
  throw new UsageError(
    `${place}: option ${options.indexOf(undefined) + 1} of ${options.length} at ${JSON.stringify(map.options)} has no text.`,
    { hint: 'Give it one in the file, or take the record out.' },
  )
}

export function readMappedChoice(
  answer: string,
  options: readonly string[],
  form: RecordMap['answerIs'],
): number | undefined {
  const at = {
    letter: () => letterIndex(/^\s*\(?([A-H])(?![\p{L}\p{N}])|^\s*([a-h])\s*$/u.exec(answer)?.[0].replace('(', '')),
    text: () => {
      const index = options.findIndex(option => option.trim() === answer.trim())
      return index >= 0 ? index : options.findIndex(option => option.trim() === answer.replace(lettered, '').trim())
    },
    'from 0': () => (/^\d+$/.test(answer) ? Number(answer) : -1),
    'from 1': () => (/^\d+$/.test(answer) ? Number(answer) - 1 : -1),
  }[form]()
  return at === undefined || at < 0 ? undefined : rightOption(at, options)
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

function splitPath(text: string): string[] {
  return text === '' ? [] : text.split('.')
}
