import { UsageError } from '../../../src/core/errors.ts'
import { isObject } from '../../../src/core/json.ts'
import { letterAt, letterIndex, rightOption } from '../../metrics/choice/options.ts'

// A question of ALLVB in the one form that everything here uses.
export interface AllvbRecord {
  id: string
  video: string
  task: string // one of the nine codes
  subTask?: string
  question: string
  options: string[]
  answer: string // the letter
  split?: string
}

const taskNames: Record<string, string> = {
  VC: 'video classification',
  SR: 'scene recognition',
  ODT: 'object detection and tracking',
  AR: 'action recognition',
  TAL: 'temporal action localization',
  ED: 'event detection',
  VCap: 'video captioning',
  VER: 'video emotion recognition',
  NH: 'needle in a haystack',
}

export const allvbTasks = Object.keys(taskNames)

const fields = {
  id: ['id', 'qid', 'question_id', 'uid'],
  video: ['video', 'movie', 'video_id', 'movie_id', 'title', 'video_name', 'movie_name', 'film', 'film_name'],
  task: ['task', 'type', 'question_type', 'task_type', 'category'],
  subTask: ['sub_task', 'subtask', 'sub_type', 'template'],
  question: ['question', 'Question', 'q', 'Q'],
  options: ['options', 'Options', 'choices', 'Choices', 'candidates'],
  answer: ['answer', 'Answer', 'correct_answer', 'correct_option', 'correct', 'gt'],
  split: ['split', 'set'],
}

type Fields = Record<string, unknown>

// How the files are laid out is not public, so every reading that is clear is taken: a flat list of questions, or questions
// nested under movies, plots and tasks, where the names of the nested parts say what the questions leave out.
export function allvbRecords(value: unknown, file: string): AllvbRecord[] {
  const seen = new Set<string>()
  const records = [...questionsIn(value, {}, seen)].map(([found, context], i) => parseFields(found, context, i, file))
  if (records.length === 0)
    throw new UsageError(`${file} holds no question of allvb.`, {
      hint: `A question needs ${fields.question[0]}, options and answer. Names found: ${[...seen].slice(0, 20).join(', ') || 'none'}.`,
    })
  return records
}

interface Context {
  video?: string
  task?: string
}

function* questionsIn(value: unknown, context: Context, seen: Set<string>): Iterable<[Fields, Context]> {
  if (Array.isArray(value)) {
    for (const item of value) yield* questionsIn(item, context, seen)
    return
  }
  if (!isObject(value)) return
  for (const name of Object.keys(value)) seen.add(name)
  if (first(value, 'question') !== undefined && first(value, 'answer') !== undefined) {
    yield [value, context]
    return
  }
  const inner = {
    video: text(first(value, 'video')) ?? context.video,
    task: taskCode(text(first(value, 'task'))) ?? context.task,
  }
  const fieldNames = new Set(Object.values(fields).flat())
  for (const [name, item] of Object.entries(value)) {
    const code = taskCode(name)
    const isPart = /^(?:(?:sub)?plots?|scenes?|questions?|qas?|qa_list|data|items|segments?|train|test)$/i.test(name)
    const isVideo = inner.video === undefined && !code && !isPart && !fieldNames.has(name)
    yield* questionsIn(item, { video: isVideo ? name : inner.video, task: code ?? inner.task }, seen)
  }
}

function parseFields(found: Fields, context: Context, place: number, file: string): AllvbRecord {
  const questionText = text(first(found, 'question')) ?? ''
  const { question, lines } = splitOptions(questionText)
  const options = readOptionTexts(first(found, 'options')) ?? besideIt(found) ?? lines
  const answer = findLetter(text(first(found, 'answer')) ?? '', options)
  const task = taskCode(text(first(found, 'task'))) ?? context.task
  if (options.length === 0 || !answer || !task)
    throw new UsageError(`${file}, question ${place} lacks ${lacking(options, answer)}.`, {
      hint: `It holds: ${Object.keys(found).join(', ')}. Tasks are ${allvbTasks.join(', ')}.`,
    })
  return {
    id: text(first(found, 'id')) ?? String(place),
    video: text(first(found, 'video')) ?? context.video ?? '',
    task,
    subTask: text(first(found, 'subTask')),
    question,
    options,
    answer,
    split: text(first(found, 'split')),
  }
}

function lacking(options: readonly string[], answer: string | undefined): string {
  return options.length === 0 ? 'options' : answer ? 'one of the nine tasks' : 'a letter in its answer'
}

const optionLine = /^\s*(?:[-*]\s*)?\(?([A-H])[).:]\s*(\S.*)$/ // of a text without blanks at its ends

// A question may carry its options as lines "A. text" or "- A. text".
function splitOptions(asked: string): { question: string; lines: string[] } {
  const lines = asked.split('\n')
  const start = lines.findIndex(line => optionLine.exec(line.trim())?.[1] === 'A')
  if (start < 0) return { question: asked.trim(), lines: [] }
  const listed = lines.slice(start).flatMap(line => optionLine.exec(line.trim())?.[2] ?? [])
  return { question: lines.slice(0, start).join('\n').trim(), lines: listed }
}

function readOptionTexts(value: unknown): string[] | undefined {
  if (typeof value === 'string') {
    const lines = splitOptions(value).lines
    return lines.length > 0 ? lines : undefined
  }
  const byKey = isObject(value) ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : undefined
  const list = Array.isArray(value) ? value : byKey?.map(([, option]) => option)
  return list?.map(option => optionLine.exec(String(option).trim())?.[2] ?? String(option).trim())
}

// Options as fields A, B, C ... beside the question.
function besideIt(found: Fields): string[] | undefined {
  const letters = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']
  const options = letters.slice(
    0,
    Math.max(
      0,
      letters.findIndex(letter => text(found[letter]) === undefined),
    ),
  )
  return options.length < 2 ? undefined : readOptionTexts(options.map(letter => found[letter]))
}

// "C", "C. text", "Answer: C. text + why", or the text of an option.
function findLetter(answer: string, options: readonly string[]): string | undefined {
  // The whole text first: "a green bus" is not option A.
  const index = options.findIndex(option => option.trim() === answer.trim())
  if (index >= 0) return letterAt(index)
  const letter = /^\s*(?:answer\s*:\s*)?[([]?([A-H])(?![\p{L}\p{N}])/iu.exec(answer)?.[1]?.toUpperCase()
  return rightOption(letterIndex(letter), options) === undefined ? undefined : letter
}

// "SR", "Scene Recognition", "scene_recognition" or "Scene Recognition (SR)".
export function taskCode(name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  const plain = name.trim().toLowerCase()
  const bracketed = /\(([a-z]+)\)\s*$/.exec(plain)?.[1]
  const words = plain.replace(/[_\s-]+/g, ' ')
  return allvbTasks.find(task => [plain, bracketed].includes(task.toLowerCase()) || taskNames[task] === words)
}

function first(found: Fields, field: keyof typeof fields): unknown {
  return fields[field].map(name => found[name]).find(value => value !== undefined && value !== null)
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
