import { UsageError } from '../../../src/core/errors.ts'
import { prettyJson } from '../../../src/core/json.ts'
import { readRecords } from '../../data/records.ts'
import { type PythonValue, toPlain } from '../../python/value.ts'
import type { ReleasedFile, ReleasedFiles, ToRelease } from '../benchmark.ts'
import { fileModelName, jsonFiles } from '../released/released-files.ts'
import { cgBenchFrameSettings } from './frames.ts'
import { resultKey } from './prompt.ts'
import type { CgBenchRecord } from './record.ts'
import { fenced, isFinal, readCgBenchVerdict, readGrounding, readLetter, readOpen } from './reply.ts'

// The file per question that the released tools keep: the record, and under each result key what was read from the reply.
export const cgBenchReleased: ReleasedFiles<CgBenchRecord> = { read: results, write }

interface Result {
  version: number
  result: unknown
  step_1?: Omit<Result, 'step_1' | 'step_2'>
  step_2?: Omit<Result, 'step_1' | 'step_2'>
}

// What a question's file holds under its result keys is what the released tools read from the reply, not the reply itself; only open
// answers and verdicts stand there in words.
async function* results(path: string): AsyncIterable<string> {
  for (const file of await jsonFiles(path)) {
    const [record] = (await readRecords(file)) as Record<string, unknown>[]
    const releasedResults = record?.results
    if (record?.qid === undefined || typeof releasedResults !== 'object' || releasedResults === null)
      throw new UsageError(`${file} is not a result file of CG-Bench.`, {
        hint: 'Expected is {"qid": ..., "results": {...}}.',
      })
    const { open, ...others } = byTask(releasedResults as Record<string, Result>, file)
    const { step_1: first, step_2: second } = open ?? {}
    const isCopy = first && isFinal(asPython(first.result))
    yield JSON.stringify({
      id: String(record.qid),
      replies: open ? { open: fenced(open.result) } : {},
      judge: {
        ...(first && { step_1: fenced(first.result) }),
        ...(second && !isCopy && { step_2: fenced(second.result) }),
      },
      results: Object.fromEntries(Object.entries(others).map(([task, { result }]) => [task, result])),
    })
  }
}

const tasks = ['long_acc', 'clue_acc', 'miou', 'open']

// A key is the task with the model, its size and what was shown. Several models in one file would be several runs.
function byTask(found: Record<string, Result>, file: string): Record<string, Result> {
  const chosen: Record<string, Result> = {}
  for (const [key, result] of Object.entries(found)) {
    const task = tasks.find(name => key === name || key.startsWith(`${name}_`))
    if (task === undefined) continue
    if (task in chosen)
      throw new UsageError(`${file} holds several results for ${task}: ${Object.keys(found).join(', ')}.`, {
        hint: 'Keep the results of one model and one setting.',
      })
    chosen[task] = result
  }
  return chosen
}

function asPython(value: unknown): PythonValue {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
  return typeof value === 'string' || typeof value === 'boolean' ? value : null
}

async function write({ samples, lines, model, options }: ToRelease<CgBenchRecord>): Promise<ReleasedFile[]> {
  const frameOptions = cgBenchFrameSettings.parse(options)
  const byId = new Map(lines.map(line => [line.id, line]))
  return samples.map(({ id, record }) => {
    const { replies = {}, judge } = byId.get(id) ?? {}
    const results = Object.entries(replies).flatMap(([task, reply]) => {
      const result = releasedResult(record, task, reply, judge?.replies)
      return result ? [[resultKey(task, { name: fileModelName(model), size: 'none' }, frameOptions), result]] : []
    })
    const content = prettyJson({ ...record, qid: asGiven(record.qid), version, results: Object.fromEntries(results) })
    return { path: `${record.qid}.json`, content }
  })
}

// The data number their questions; as texts are ids kept here.
function asGiven(qid: string): string | number {
  return /^(?:0|[1-9]\d{0,14})$/.test(qid) ? Number(qid) : qid
}

const version = 0 // of a question that has not changed since; the released tools add to it

// A reply as the released tools would save it: nothing if they read nothing, so that they would ask again.
export function releasedResult(
  { clue_intervals, right_answer }: CgBenchRecord,
  task: string,
  reply: string | null,
  judge: Record<string, string | null> = {},
): Result | undefined {
  const isOpen = task === 'open'
  const choice = isOpen ? readOpen(reply) : readLetter(reply, right_answer)
  const { value } = task === 'miou' ? readGrounding(reply, clue_intervals) : choice
  return value === null ? undefined : { version, result: toPlain(value), ...(isOpen && verdicts(judge)) }
}

// A final first verdict is the second's too.
function verdicts(judge: Record<string, string | null>): Pick<Result, 'step_1' | 'step_2'> {
  const first = readCgBenchVerdict(judge.step_1, 1).value
  if (first === null) return {}
  const step_1 = { version, result: toPlain(first) }
  const second = isFinal(first) ? first : readCgBenchVerdict(judge.step_2, 2).value
  return second === null ? { step_1 } : { step_1, step_2: { version, result: toPlain(second) } }
}
