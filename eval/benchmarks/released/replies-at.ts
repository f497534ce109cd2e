import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { UsageError } from '../../../src/core/errors.ts'
import { fileLines } from '../../data/lines.ts'
import { isRecordFile, readRecords } from '../../data/records.ts'
import type { Sample } from '../../data/sample.ts'
import type { Benchmark } from '../benchmark.ts'
import { type ReleasedRecord, sampleFinder } from './find-sample.ts'

// The lines of a replies file: ours, what the released tools of the benchmark leave behind, or a log of another program.
export async function* repliesAt(
  benchmark: Benchmark,
  path: string,
  samples: () => Promise<readonly Sample[]>,
): AsyncIterable<string> {
  const { released } = benchmark
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory()
  if (isFolder && released) {
    yield* released.read(path, samples)
    return
  }
  const first = await firstRecord(path)
  const log = first && !('id' in first && 'replies' in first) ? findLog(first, path) : undefined
  if (log) yield* logLines(log, path, benchmark, await samples())
  else if (released && first && (released.isLine?.(first) || (isJson(path) && !(await isLines(path)))))
    yield* released.read(path, samples)
  else yield* fileLines(path)
}

function isJson(path: string): boolean {
  return extname(path).toLowerCase() === '.json'
}

// What a list, a table or lines begin with; undefined if that cannot be told, as of a first line that is torn.
async function firstRecord(path: string): Promise<Record<string, unknown> | undefined> {
  if (!isJson(path) && isRecordFile(path) && !/\.(?:jsonl|ndjson)$/i.test(path))
    return asRecord((await readRecords(path))[0])
  if (extname(path).toLowerCase() === '.xlsx')
    throw new UsageError(`${path} cannot be read: tables are read as TSV, CSV, JSON or JSON lines.`, {
      hint: 'Save it as TSV; VLMEvalKit writes TSV with PRED_FORMAT=tsv.',
    })
  for await (const line of fileLines(path)) {
    if (line.trim() === '') continue
    try {
      return asRecord(JSON.parse(line))
    } catch {
      return isJson(path) ? asRecord((await readRecords(path))[0]) : undefined
    }
  }
  return undefined
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  const first = Array.isArray(value) ? value[0] : value
  return typeof first === 'object' && first !== null ? (first as Record<string, unknown>) : {}
}

// Whether the file holds JSON lines of ours, whatever it is called.
async function isLines(path: string): Promise<boolean> {
  for await (const line of fileLines(path)) {
    if (line.trim() === '') continue
    try {
      const value = JSON.parse(line)
      return typeof value === 'object' && value !== null && 'id' in value
    } catch {
      return false
    }
  }
  return true
}

interface Log {
  by: string
  isOf(first: ReleasedRecord, file: string): boolean
  records(row: ReleasedRecord): ReleasedRecord // what it holds of the question
  question: string // the column with its words
  reply: string // the column with what the model said
  said(value: unknown): unknown
  hint: string
}

const tables = ['.tsv', '.csv']

// Logs of other programs that run benchmarks; another one is an entry here.
const logs: readonly Log[] = [
  {
    by: 'lmms-eval',
    isOf: first => 'doc_id' in first || 'resps' in first || 'filtered_resps' in first,
    question: 'doc.question',
    records: row => (typeof row.doc === 'object' ? { ...row, ...row.doc } : {}),
    reply: 'resps',
    said: value => (Array.isArray(value) ? [value[0]].flat()[0] : undefined),
    hint: 'Have lmms-eval log samples (--log_samples): it writes doc and resps in each line.',
  },
  {
    by: 'VLMEvalKit',
    isOf: (first, file) =>
      'prediction' in first || ('index' in first && !('pred' in first)) || tables.includes(extname(file).toLowerCase()),
    question: 'question',
    records: row => row,
    reply: 'prediction',
    said: value => (value === 'Failed to obtain answer via API.' ? null : value),
    hint: 'The prediction file is meant, not that of the ratings; VLMEvalKit writes tables as TSV with PRED_FORMAT=tsv.',
  },
]

function findLog(first: ReleasedRecord, file: string): Log | undefined {
  return logs.find(log => log.isOf(first, file))
}

interface ReplyLine {
  id: string
  replies: Record<string, string | null>
}

// Reply lines of such a log: by what it says of each question, and by the raw reply. Nothing is guessed from places.
async function* logLines(
  log: Log,
  file: string,
  benchmark: Pick<Benchmark, 'name' | 'tasks'>,
  samples: readonly Sample[],
): AsyncIterable<string> {
  const find = sampleFinder(samples)
  const last = new Map<string, ReplyLine>()
  const lines: ReplyLine[] = []
  for (const row of (await readRecords(file)) as ReleasedRecord[]) {
    const { kept, task, reply } = readRow(log, row, file, benchmark)
    const sampleIds = find(kept).map(({ id, longId = id }) => longId)
    for (const id of sampleIds.length > 0 ? sampleIds : [String(kept.question)]) {
      const before = last.get(id)
      if (before && !(task in before.replies)) before.replies[task] = reply
      else {
        const line = { id, replies: { ...before?.replies, [task]: reply } }
        last.set(id, line)
        lines.push(line) // of a double, too: the reader of replies lists it
      }
    }
  }
  yield* lines.map(line => JSON.stringify(line))
}

function readRow(
  { by, records, reply, said, question, hint }: Log,
  row: ReleasedRecord,
  file: string,
  benchmark: Pick<Benchmark, 'name' | 'tasks'>,
): { kept: ReleasedRecord; task: string; reply: string | null } {
  const lacks = (column: string, why: string) =>
    new UsageError(`${file}, a log of ${by}, has no column "${column}".`, { hint: why })
  if (!(reply in row)) throw lacks(reply, hint)
  const logRecords = records(row)
  if (logRecords.question === undefined) throw lacks(question, hint)
  const { tasks, name } = benchmark
  const task = tasks.length === 1 ? tasks[0] : tasks.find(one => one.name === logRecords.task_mode)
  const names = tasks.map(one => one.name).join(', ')
  const why = `${name} asks several things of a question: each row says which, one of ${names}.`
  if (!task && logRecords.task_mode === undefined) throw lacks('task_mode', why)
  if (!task) throw new UsageError(`${file} has the task_mode "${String(logRecords.task_mode)}".`, { hint: why })
  const text = said(row[reply])
  return {
    kept: logRecords,
    task: task.name,
    reply: text === undefined || text === null || text === '' ? null : String(text),
  }
}
