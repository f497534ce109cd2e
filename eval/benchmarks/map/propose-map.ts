import { groupBy } from '../../../src/core/basics/group-by.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { isObject } from '../../../src/core/json.ts'
import { optionsIn, recordsIn } from './find-records.ts'
import { commonPath, type JsonPath, listChildren, listPaths } from './paths.ts'
import {
  asText,
  type Placed,
  type RecordMap,
  readMappedChoice,
  recordOptions,
  recordsAt,
  recordValue,
} from './record-map.ts'
import type { MappedFields } from './written-record.ts'

const hints = {
  question: /question|query|^q$|prompt|ask|stem/i,
  answer: /answer|correct|right|gold|^gt$|label|solution|key$/i,
  video: /video|movie|film|title|clip|imdb|media|source/i,
  task: /task|type|category|skill|kind/i,
  sub_task: /sub.?(task|type|category)|template/i,
  id: /^(.*[_-])?(id|qid|uid|index|no|number)$/i,
  split: /^(split|set|subset|partition)$/i,
}
type Form = RecordMap['answerIs']

// How the records of a file seem to lie, from the shape of its values first and names second. Refused with every path where nothing
// in it has options and an answer among them.
export function proposeMap(
  top: unknown,
  file: string,
  { task: taskOf, more = [] }: Omit<MappedFields, 'fields'>,
): RecordMap {
  const { records, placed, options, answer, question, rest } = questionsIn(top, file)
  const free = new Set(rest.filter(field => field !== answer.field && field !== question))
  const take = (found: string | undefined) => {
    if (found !== undefined) free.delete(found)
    return found
  }
  const above = aboveFields(placed, records)
  const split = take(named(free, hints.split))
  const subTask = take(named(free, hints.sub_task))
  const task = take(taskField(placed, [...free, ...above], taskOf))
  const id = take(idField(placed, [...free]))
  const video = take(named(free, hints.video)) ?? named(above, hints.video) ?? starOfVideo(placed, task)
  if (video === undefined) throw refused(top, file, 'the name of a video')
  const names = new Set(placed.flatMap(({ record }) => listChildren(record).map(([name]) => name)))
  const recognised =
    task === undefined || !taskOf ? [] : [...new Set(placed.flatMap(one => asText(recordValue(one, task)) ?? []))]
  return {
    records,
    ...(id !== undefined && { id }),
    video,
    ...(task !== undefined && { task }),
    ...(subTask !== undefined && { sub_task: subTask }),
    question,
    options,
    answer: answer.field,
    answerIs: answer.form,
    ...(split !== undefined && { split }),
    more: Object.fromEntries(more.filter(name => names.has(name)).map(name => [name, name])),
    values:
      recognised.length > 0 ? { task: Object.fromEntries(recognised.map(one => [one, taskOf?.(one) ?? one])) } : {},
  }
}

interface Questions {
  records: string
  placed: Placed[]
  options: RecordMap['options']
  answer: Answer
  question: string
  rest: string[] // fields beside the options
}

// The first records with options, an answer among these and a question: those at the depth that has most, the deeper before the
// shallower.
function questionsIn(top: unknown, file: string): Questions {
  const { paths, lists } = recordsIn(top)
  const depthOf = ([path]: readonly JsonPath[]) => path?.length ?? 0
  const groups = [...groupBy(paths, path => String(path.length)).values()]
  groups.sort((a, b) => b.length - a.length || depthOf(b) - depthOf(a))
  let lacking = 'a question with options'
  for (const group of groups) {
    const records = commonPath(group, lists).join('.')
    const placed = recordsAt(top, records)
    const fields = listFields(placed)
    const fitting: Questions[] = []
    for (const options of optionsFields(placed, fields)) {
      const rest = fields.filter(field => ![options].flat().some(one => field === one || field.startsWith(`${one}.`)))
      const answer = answerField(placed, rest, options)
      const remaining = answer && rest.filter(field => field !== answer.field)
      const question = remaining && questionField(placed, remaining)
      if (answer && question !== undefined) fitting.push({ records, placed, options, answer, question, rest })
      if (lacking !== 'the text of a question')
        lacking = answer ? 'the text of a question' : 'an answer that is one of the options'
    }
    const [first] = fitting
    if (first) return theOne(first, fitting, file)
  }
  throw refused(top, file, lacking)
}

// Several lists of a record may hold as many texts as its letter or number counts, and several fields an answer. The text of an
// answer says which list it is of.
function theOne(first: Questions, fitting: readonly Questions[], file: string): Questions {
  const byText = fitting.filter(({ answer }) => answer.form === 'text')
  const [found = first, ...others] = byText.length > 0 ? byText : fitting
  const { records, question, options, answer } = found
  const textsOf = ({ placed, options }: Questions) => JSON.stringify(placed.map(one => recordOptions(one, options)))
  const lists = others.filter(one => textsOf(one) !== textsOf(found)).map(one => one.options)
  const map = { records, video: '...', question, options, answer: answer.field, answerIs: answer.form }
  const choose = (what: string, said: string) =>
    new UsageError(`${file}: ${said}.`, {
      hint: `Write a map whose ${what}, and name it with --map, as: ${JSON.stringify(map)}`,
    })
  const quoted = (all: readonly unknown[]) => all.map(one => JSON.stringify(one)).join(', ')
  if (lists.length > 0) {
    const fit = `fit several lists of the records at "${records}": ${quoted([options, ...lists])}`
    throw choose('"options" are the right list', `the answers at "${answer.field}" ${fit}`)
  }
  if (answer.rivals.length > 0) {
    const fields = quoted([answer.field, ...answer.rivals])
    throw choose(
      '"answer" is the right field',
      `several fields of the records at "${records}" hold answers that differ: ${fields}`,
    )
  }
  return found
}

function refused(top: unknown, file: string, lacking: string): UsageError {
  const paths = listPaths(top, 20).map(({ path, examples }) => `${path || '(the whole)'}: ${examples.join(', ')}`)
  return new UsageError(`Nothing in ${file} looks like ${lacking}.`, {
    hint: `Write the map yourself and name it with --map. Paths found: ${paths.join('; ')}.`,
  })
}

// Paths of texts and numbers within the records, two levels down.
function listFields(placed: readonly Placed[]): string[] {
  const distinctValues = new Set<string>()
  for (const { record } of placed.slice(0, 200))
    for (const [name, value] of listChildren(record)) {
      distinctValues.add(name)
      if (isObject(value)) for (const inner of Object.keys(value)) distinctValues.add(`${name}.${inner}`)
    }
  return [...distinctValues]
}

function optionsFields([first]: readonly Placed[], fields: readonly string[]): RecordMap['options'][] {
  const optionFields = isObject(first?.record) ? optionsIn(first.record) : []
  return optionFields.filter(options => [options].flat().every(one => fields.includes(one)))
}

interface Answer {
  field: string
  form: Form
  rivals: string[] // other fields that look like an answer and hold another one
}

// By name and form first, by form only if no name says it. A number may count anything, so it does not compete with a text.
function answerField(
  placed: readonly Placed[],
  fields: readonly string[],
  options: RecordMap['options'],
): Answer | undefined {
  const texts = placed.map(one => recordOptions(one, options).map(option => option ?? ''))
  const choicesOf = (field: string, form: Form): number[] => {
    const choices: number[] = []
    for (const [at, one] of placed.entries()) {
      const fieldText = asText(recordValue(one, field))
      const choice = fieldText === undefined ? undefined : readMappedChoice(fieldText, texts[at] ?? [], form)
      if (choice === undefined) return [] // of one record is enough
      choices.push(choice)
    }
    return choices
  }
  const fitting = (among: readonly string[], ...forms: Form[]) =>
    forms
      .flatMap(form => among.map(field => ({ field, form, choices: choicesOf(field, form) })))
      .filter(({ choices }) => choices.length > 0)
  const called = fields.filter(field => hints.answer.test(field))
  const kinds = [
    fitting(called, 'text', 'letter'),
    fitting(called, 'from 0', 'from 1'),
    fitting(fields, 'text', 'letter'),
  ]
  const all = kinds.find(({ length }) => length > 0) ?? []
  const [found] = all
  if (!found) return undefined
  const { field, form, choices } = found
  const agreeing = all.filter(one => one.choices.join() === choices.join()).map(one => one.field)
  const rivals = new Set(all.map(one => one.field).filter(one => !agreeing.includes(one)))
  return { field, form, rivals: [...rivals] }
}

function questionField(placed: readonly Placed[], fields: readonly string[]): string | undefined {
  const texts = fields.flatMap(field => {
    const values = placed.map(one => recordValue(one, field))
    if (!values.every(value => typeof value === 'string')) return []
    const asks = values.filter(value => value.trim().endsWith('?')).length / values.length
    const words = values.reduce((sum, value) => sum + value.split(/\s+/).length, 0) / values.length
    return [{ field, points: 2 * asks + Number(hints.question.test(field)) + Math.min(1, words / 20), words }]
  })
  const best = texts.filter(({ words }) => words > 1.5).sort((a, b) => b.points - a.points)[0]
  return best && best.points >= 1 ? best.field : undefined
}

function taskField(
  placed: readonly Placed[],
  fields: readonly string[],
  taskOf: MappedFields['task'] = () => undefined,
) {
  const isKnown = (field: string) => placed.every(one => taskOf(asText(recordValue(one, field)) ?? '') !== undefined)
  return fields.find(isKnown) ?? named(fields, hints.task)
}

function idField(placed: readonly Placed[], fields: readonly string[]): string | undefined {
  const isId = (field: string) => {
    const ids = placed.map(one => asText(recordValue(one, field)))
    return ids.every(id => id !== undefined) && new Set(ids).size === ids.length
  }
  return fields.find(field => hints.id.test(field) && !hints.video.test(field) && isId(field))
}

function named(fields: Iterable<string>, hint: RegExp): string | undefined {
  return [...fields].find(field => hint.test(field.split('.').at(-1) ?? ''))
}

// Texts around the records, as paths from the top, and the names that stars stand for.
function aboveFields(placed: readonly Placed[], records: string): string[] {
  const path = records === '' ? [] : records.split('.')
  const prefixes = path.flatMap((_, depth) => {
    const before = path.slice(0, depth)
    const around = [...recordsAt(placed[0]?.top, before.join('.'))][0]?.record
    const texts = isObject(around) ? Object.entries(around).filter(([, value]) => asText(value) !== undefined) : []
    return texts.map(([name]) => ['$', ...before, name].join('.'))
  })
  return [...prefixes, ...starNames(placed)]
}

function starNames([first]: readonly Placed[]): string[] {
  return (first?.stars ?? []).map((_, at) => `$${at + 1}`)
}

// A name of a star that is neither a number nor a task.
function starOfVideo(placed: readonly Placed[], task: string | undefined): string | undefined {
  return starNames(placed).find(
    star => star !== task && placed.some(one => !/^\d+$/.test(String(recordValue(one, star)))),
  )
}
