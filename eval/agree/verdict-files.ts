import { basename, extname } from 'node:path'
import { z } from 'zod'
import { absentAs, UsageError } from '../../src/core/errors.ts'
import { readBoundedText } from '../../src/core/machine/read-bounded.ts'
import { explainFirstIssue } from '../data/parse-record.ts'
import { parseTable } from '../data/table.ts'
import { readScaled } from '../protocols/judge/scale.ts'
import type { Item } from './judged-run.ts'

const filled = (value: unknown) => (value === '' || value === null ? undefined : value)
const word = z.preprocess(filled, z.union([z.string(), z.number()]).transform(String).optional())

// A line of a verdict file, JSON or CSV. `reply` is the hash of the answer that was judged, as sheets have it; `run` its run's name.
const VerdictLine = z.looseObject({
  run: word,
  reply: word,
  id: z.union([z.string(), z.number()]).transform(String),
  step: word,
  task: word,
  rater: word,
  verdict: z.preprocess(filled, z.union([z.string(), z.number(), z.boolean()]).optional()),
  note: word,
})

export interface Annotator {
  name: string
  verdicts: Map<string, number> // by the keys of items
  needsPicture: Map<string, boolean> // from the notes: "needs the picture"
}

interface People {
  people: Annotator[]
  unmatched: number // verdicts of answers that are not in these runs
}

// The verdicts of people about these items. A rater may have several files, and gives one verdict on an item.
export async function readAnnotators(files: readonly string[], items: readonly Item[]): Promise<People> {
  const people = new Map<string, Annotator>()
  let unmatched = 0
  for (const file of files)
    for (const [at, line] of (await linesIn(file)).entries()) {
      const recordName = `${file}, record ${at + 1}`
      if (line.verdict === undefined && line.note === undefined) continue
      const name = line.rater ?? basename(file, extname(file))
      const person = people.get(name) ?? { name, verdicts: new Map(), needsPicture: new Map() }
      people.set(name, person)
      const fitting = items.filter(item => fits(line, item))
      const [item] = fitting
      if (!item) unmatched++
      else if (!saysWhose(line, fitting))
        throw new UsageError(`${recordName}: "${line.id}" is in several of the runs.`, {
          hint: 'Say which, in "run" (its name) or "reply" (the hash on the sheet).',
        })
      else for (const each of fitting) take(person, each, line, recordName)
    }
  return { people: [...people.values()], unmatched }
}

// A verdict is of words: where several runs said the same ones, it holds of each.
function saysWhose({ run, reply }: z.infer<typeof VerdictLine>, fitting: readonly Item[]): boolean {
  const count = (of: readonly unknown[]) => new Set(of).size
  if (count(fitting.map(item => item.run)) === 1) return true
  return (run !== undefined || reply !== undefined) && count(fitting.map(item => item.answer.hash)) === 1
}

function take(person: Annotator, item: Item, line: z.infer<typeof VerdictLine>, place: string): void {
  const verdict = readScaled(item.scale, line.verdict, place)
  const before = person.verdicts.get(item.key)
  if (before !== undefined && verdict !== undefined && before !== verdict)
    throw new UsageError(`${place}: ${person.name} gave another verdict on ${line.id} before.`, {
      hint: 'Leave one of the two.',
    })
  if (verdict !== undefined) person.verdicts.set(item.key, verdict)
  if (/needs? the (?:picture|video|frames)/i.test(line.note ?? '')) person.needsPicture.set(item.key, true)
  else if (verdict !== undefined) person.needsPicture.set(item.key, false)
}

// Where no step is named, the first is meant.
function fits({ run, reply, id, step, task }: z.infer<typeof VerdictLine>, item: Item): boolean {
  const { answer, run: of } = item
  if (answer.sample.id !== id) return false
  if (run !== undefined && run !== of.name && run !== answer.hash) return false
  if (reply !== undefined && reply !== answer.hash) return false
  const named = step ?? task
  const [first] = of.benchmark.judge.verdicts(answer.sample)
  return named === undefined || named === of.benchmark.judge.task ? first?.step === item.step : named === item.step
}

async function linesIn(file: string): Promise<z.infer<typeof VerdictLine>[]> {
  const text = await readBoundedText(file, 256e6).catch(absentAs(undefined))
  if (text === undefined) throw new UsageError(`There is no file at ${file}.`, { hint: 'Name a verdict file.' })
  const records: unknown[] =
    extname(file).toLowerCase() === '.csv'
      ? parseTable(text.replace(/^\ufeff/, ''), ',')
      : text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [parsed(line, `${file}, line ${at + 1}`)]))
  return records.map((record, at) => {
    const { data, error } = VerdictLine.safeParse(record)
    if (data) return data
    throw new UsageError(`${file}, record ${at + 1}, is not a verdict: ${explainFirstIssue(error, 'record')}.`, {
      hint: 'A verdict has id, verdict and rater; see docs/benchmark-runs.md.',
    })
  })
}

function parsed(line: string, place: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new UsageError(`${place} is not JSON.`, { hint: 'Write one object a line, or a .csv file.', cause })
  }
}
