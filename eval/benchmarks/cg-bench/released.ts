import { UsageError } from '../../../src/core/errors.ts'
import { readRecords } from '../../data/records.ts'
import type { PythonValue } from '../../python/value.ts'
import type { ReleasedFile, ReleasedFiles, ToRelease } from '../benchmark.ts'
import { jsonFiles, jsonText, modelName } from '../released-files.ts'
import { resultKey } from './prompt.ts'
import type { CgBenchRecord } from './record.ts'
import { isFinal } from './reply.ts'
import { type ResultFile, resultFile, withReply } from './result-file.ts'

// The file per question that the released tools keep.
export const released: ReleasedFiles<CgBenchRecord> = { read: results, write }

// What a question's file holds under its result keys is what the released tools read from the reply, not the reply itself; only open
// answers and verdicts stand there in words.
async function* results(path: string): AsyncIterable<string> {
  for (const file of await jsonFiles(path)) {
    const [record] = (await readRecords(file)) as Record<string, unknown>[]
    const found = record?.results
    if (record?.qid === undefined || typeof found !== 'object' || found === null)
      throw new UsageError(`${file} is not a result file of CG-Bench.`, {
        hint: 'Expected is {"qid": ..., "results": {...}}.',
      })
    const line = {
      id: String(record.qid),
      replies: {} as Record<string, string>,
      judge: {} as Record<string, string>,
      results: {} as Record<string, unknown>,
    }
    for (const [task, result] of byTask(found as Record<string, StoredResult>, file)) {
      if (task !== 'open') {
        line.results[task] = result.result
        continue
      }
      line.replies.open = fenced(result.result)
      if (result.step_1) line.judge.step_1 = fenced(result.step_1.result)
      const isCopy = result.step_1 && isFinal(asPython(result.step_1.result))
      if (result.step_2 && !isCopy) line.judge.step_2 = fenced(result.step_2.result)
    }
    yield JSON.stringify(line)
  }
}

interface StoredResult {
  result: unknown
  step_1?: { result: unknown }
  step_2?: { result: unknown }
}

const tasks = ['long_acc', 'clue_acc', 'miou', 'open']

// A key is the task with the model, its size and what was shown. Several models in one file would be several runs.
function byTask(found: Record<string, StoredResult>, file: string): Map<string, StoredResult> {
  const chosen = new Map<string, StoredResult>()
  for (const [key, result] of Object.entries(found)) {
    const task = tasks.find(name => key === name || key.startsWith(`${name}_`))
    if (task === undefined) continue
    if (chosen.has(task))
      throw new UsageError(`${file} holds several results for ${task}: ${Object.keys(found).join(', ')}.`, {
        hint: 'Keep the results of one model and one setting.',
      })
    chosen.set(task, result)
  }
  return chosen
}

function fenced(result: unknown): string {
  return `\`\`\`json\n${JSON.stringify({ result })}\n\`\`\``
}

function asPython(value: unknown): PythonValue {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
  return typeof value === 'string' || typeof value === 'boolean' ? value : null
}

async function write({ samples, lines, model, options }: ToRelease<CgBenchRecord>): Promise<ReleasedFile[]> {
  const shown = {
    frames: Number(options.frames ?? 128),
    subtitles: options.subtitles !== false,
    subtitleTimes: options.subtitleTimes !== false,
    frameTimes: options.frameTimes !== false,
  }
  const byId = new Map(lines.map(line => [line.id, line]))
  return samples.map(sample => {
    const { record } = sample
    const line = byId.get(sample.id)
    let file: ResultFile = resultFile(record, '1')
    for (const [task, reply] of Object.entries(line?.replies ?? {}))
      file = withReply(
        file,
        resultKey(task, { name: modelName(model), size: 'none' }, shown),
        reply,
        line?.judge?.replies,
      )
    return { path: `${record.qid}.json`, content: jsonText(file) }
  })
}
