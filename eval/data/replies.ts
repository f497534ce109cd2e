import { UsageError } from '../../src/core/errors.ts'
import { parsePythonJson } from '../python/json.ts'
import { isDict, type PythonValue, pythonNumber, pythonText } from '../python/value.ts'
import type { Grade } from './sample-line.ts'

// What a run got for one record: raw texts by task and by judge step. A task that is not there was not asked; null: it was,
// and nothing came back. What is not text (2, 2.0, true) is held as Python would print it.
export interface ReplyRecord {
  id: string
  replies: Record<string, string | null>
  judge: Record<string, string | null>
  grades?: Record<string, Grade> // by task, of a run that has graded the reply
  results?: Record<string, number> // what was read from a reply that is not there itself: a released result file holds no more
}

export interface Replies {
  byId: Map<string, ReplyRecord>
  notes: { id: string; reason: string }[]
}

// Reads {"id", "replies": {task: text}, "judge": {step: text}} lines. The last line for an id counts; a torn last line is
// dropped and noted.
export async function readReplies(lines: AsyncIterable<string>): Promise<Replies> {
  const byId = new Map<string, ReplyRecord>()
  const notes: Replies['notes'] = []
  for await (const { value, number } of wholeLines(lines, notes)) {
    const line = replyLine(value, number)
    if (byId.has(line.id))
      notes.push({ id: line.id, reason: `line ${number} replaces an earlier line with the same id` })
    byId.set(line.id, line)
  }
  return { byId, notes }
}

// Parsed lines with their numbers; a broken line is an error unless it is the last, which a killed run may have torn.
export async function* wholeLines(
  lines: AsyncIterable<string>,
  notes: Replies['notes'],
): AsyncIterable<{ value: PythonValue; number: number }> {
  let number = 0
  let torn: number | undefined
  for await (const line of lines) {
    number++
    if (line.trim() === '') continue
    if (torn !== undefined)
      throw new UsageError(`Line ${torn} of the replies is not JSON.`, { hint: 'Each line must be one JSON object.' })
    let value: PythonValue
    try {
      value = parsePythonJson(line)
    } catch {
      torn = number
      continue
    }
    yield { value, number }
  }
  if (torn !== undefined) notes.push({ id: `line ${torn}`, reason: 'the last line is torn and was dropped' })
}

// Lines that no record of the data asks for.
export function unknownLines(replies: Replies, known: ReadonlySet<string>): Replies['notes'] {
  return [...replies.byId.keys()]
    .filter(id => !known.has(id))
    .map(id => ({ id, reason: 'no record of the data has this id' }))
}

// Whether any line speaks of the task: one that none does was not run.
export function wasAsked(replies: Replies, task: string): boolean {
  for (const line of replies.byId.values())
    if (task in line.replies || (line.results && task in line.results)) return true
  return false
}

function replyLine(value: PythonValue, number: number): ReplyRecord {
  const id = isDict(value) ? value.get('id') : undefined
  if (!isDict(value) || (typeof id !== 'string' && typeof id !== 'bigint'))
    throw new UsageError(`Line ${number} of the replies has no id.`, {
      hint: 'Each line is {"id": ..., "replies": {"<task>": "raw text or null"}, "judge": {"<step>": "raw text or null"}}.',
    })
  const results = numbers(value.get('results'))
  return {
    id: pythonText(id),
    replies: texts(value.get('replies')),
    judge: texts(value.get('judge')),
    ...(results && { results }),
  }
}

function texts(value: PythonValue | undefined): Record<string, string | null> {
  if (!isDict(value)) return {}
  return Object.fromEntries(
    [...value].map(([name, text]) => [pythonText(name), text === null ? null : pythonText(text)]),
  )
}

function numbers(value: PythonValue | undefined): Record<string, number> | undefined {
  if (!isDict(value)) return undefined
  return Object.fromEntries(
    [...value].flatMap(([name, number]) => {
      const read = pythonNumber(number)
      return read === undefined ? [] : [[pythonText(name), read]]
    }),
  )
}
