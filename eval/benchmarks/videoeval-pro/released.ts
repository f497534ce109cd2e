import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../../../src/core/errors.ts'
import { jsonLines } from '../../../src/core/json.ts'
import { fileLines } from '../../data/lines.ts'
import { parsePlainJson } from '../../python/json.ts'
import type { ReleasedFile, ReleasedFiles, ToRelease } from '../benchmark.ts'
import { type ReleasedRecord, sampleFinder } from '../released/find-sample.ts'
import { fileModelName } from '../released/released-files.ts'
import { optionAsReleased } from './grade.ts'
import { gradeAsReleased } from './judge.ts'
import type { VideoEvalProRecord } from './record.ts'

// The JSON lines that the released tools leave: each record with what was answered and judged, in the order of completion, and a
// last line of counts.
export const videoEvalProReleased: ReleasedFiles<VideoEvalProRecord> = {
  isLine: line => ['textqa_answer', 'mcq_answer', 'stats'].some(field => field in line),
  async *read(path, samples) {
    const find = sampleFinder(await samples())
    for await (const line of fileLines(await linesFile(path))) yield* replyLines(line, find)
  },
  write,
}

// The file, or the only one of its kind in the folder.
async function linesFile(path: string): Promise<string> {
  if (!(await stat(path)).isDirectory()) return path
  const names = (await readdir(path)).filter(name => name.endsWith('.jsonl')).sort()
  const [file, ...others] = names
  if (file !== undefined && others.length === 0) return join(path, file)
  throw new UsageError(`The folder ${path} holds ${names.length} files of JSON lines.`, {
    hint: names.length === 0 ? 'Name the file of the results.' : `Name one of them: ${names.slice(0, 4).join(', ')}.`,
  })
}

// A line that says nothing of a question stays an empty one, so that lines keep their numbers; a torn one is left to the reader.
function replyLines(line: string, find: ReturnType<typeof sampleFinder>): string[] {
  const releasedRecord = parseReleased(line)
  if (releasedRecord === undefined) return [line]
  if ('stats' in releasedRecord) return ['']
  const { textqa_answer: open, mcq_answer: mcq, textqa_judge: verdict } = releasedRecord
  const replies = { ...(open !== undefined && { open }), ...(mcq !== undefined && { mcq }) }
  const judge = verdict === undefined ? {} : { open: readVerdict(verdict) }
  const ids = find(releasedRecord).map(({ id, longId = id }) => longId)
  const unknown = `${String(releasedRecord.video ?? 'no video')}: ${String(releasedRecord.question ?? 'no question')}`
  return (ids.length > 0 ? ids : [unknown]).map(id => JSON.stringify({ id, replies, judge }))
}

function parseReleased(line: string): ReleasedRecord | undefined {
  try {
    const value = parsePlainJson(line)
    return typeof value === 'object' && value !== null ? (value as ReleasedRecord) : undefined
  } catch {
    return undefined
  }
}

const failed = { correct: false, reason: 'Failed after multiple retries' }

// What stands for a judgment that failed is an object, which the released count takes for right.
function readVerdict(value: unknown): 'A' | 'B' | null {
  return typeof value === 'object' ? null : value ? 'A' : 'B'
}

async function write({ samples, lines, judge, model }: ToRelease<VideoEvalProRecord>): Promise<ReleasedFile[]> {
  const byId = new Map(lines.map(line => [line.id, line]))
  const rows = samples.flatMap(({ id, record }) => {
    const line = byId.get(id)
    return line
      ? [buildResult(record, line.replies, judge === undefined ? undefined : (line.judge?.replies ?? {}))]
      : []
  })
  const isTrue = (field: 'textqa_judge' | 'mcq_judge') => rows.filter(row => row[field]).length
  const stats = {
    textqa_judge_true: isTrue('textqa_judge'),
    mcq_judge_true: isTrue('mcq_judge'),
    total: rows.length,
  }
  const content = jsonLines([...rows, ...(judge === undefined ? [] : [{ stats }])])
  return [{ path: `${fileModelName(model)}.jsonl`, content }]
}

interface Result extends VideoEvalProRecord {
  textqa_judge?: unknown
  mcq_judge?: boolean
}

function buildResult(
  record: VideoEvalProRecord,
  { open, mcq }: Record<string, string | null>,
  judged?: Record<string, string | null>,
): Result {
  const verdict = judged && 'open' in judged ? gradeAsReleased(judged.open ?? null) : undefined
  return {
    ...record,
    ...(open !== undefined && { textqa_answer: open ?? '' }),
    ...(mcq !== undefined && { mcq_answer: mcq ?? '' }),
    ...(verdict && { textqa_judge: verdict === 'failed' ? failed : verdict === 'right' }),
    ...(judged && mcq !== undefined && { mcq_judge: optionAsReleased(record.answer, mcq) }),
  }
}
