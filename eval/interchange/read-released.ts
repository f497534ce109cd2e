import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { UsageError } from '../../src/core/errors.ts'
import { isFinal } from '../benchmarks/cg-bench/reply.ts'
import { predictionLines } from '../benchmarks/infinibench/predictions.ts'
import { choiceSkills, openSkills, skillRows } from '../benchmarks/infinibench/record.ts'
import { fileLines } from '../data/lines.ts'
import { readExactRecords, readRecords } from '../data/records.ts'
import type { PythonValue } from '../python/value.ts'

// The lines of a replies file, whether it is one of ours or what the released tools of the benchmark leave behind: LongShOTBench's
// tree, CG-Bench's file per question, InfiniBench's prediction files.
export async function* repliesAt(benchmark: string, path: string): AsyncIterable<string> {
  const kind = await stat(path).catch(() => undefined)
  const isList = kind?.isFile() && extname(path).toLowerCase() === '.json' && !(await isLines(path))
  if (benchmark === 'infinibench' && (kind?.isDirectory() || isList)) yield* predictions(await jsonFiles(path))
  else if (benchmark === 'cg-bench' && (kind?.isDirectory() || isList)) yield* results(await jsonFiles(path))
  else if (benchmark === 'longshot' && kind?.isDirectory()) yield* fileLines(await judgedFile(path))
  else yield* fileLines(path)
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

async function* predictions(files: readonly string[]): AsyncIterable<string> {
  const skills = [...choiceSkills, ...openSkills]
  let place = 0
  for (const file of files) {
    const ofFile = skills.find(skill => basename(file, extname(file)).startsWith(skill))
    for (const { skill, rows } of skillRows(await readExactRecords(file), ofFile)) {
      const before = place
      place += rows.length
      yield* predictionLines(rows, i => `${skill ?? 'skill'}_${before + i}`, skill)
    }
  }
}

// What a question's file holds under its result keys is what the released tools read from the reply, not the reply itself; only open
// answers and verdicts stand there in words.
async function* results(files: readonly string[]): AsyncIterable<string> {
  for (const file of files) {
    const [record] = (await readRecords(file)) as Record<string, unknown>[]
    const found = record?.results
    if (record?.qid === undefined || typeof found !== 'object' || found === null)
      throw new UsageError(`${file} is no result file of CG-Bench.`, {
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

async function jsonFiles(path: string): Promise<string[]> {
  if ((await stat(path)).isFile()) return [path]
  const names = (await readdir(path)).filter(name => extname(name).toLowerCase() === '.json').sort()
  if (names.length > 0) return names.map(name => join(path, name))
  throw new UsageError(`The folder ${path} holds no JSON file.`, { hint: 'Name the folder of the prediction files.' })
}

async function judgedFile(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true })
  const judged = names.filter(name => name.endsWith('_eval.jsonl')).sort()
  if (judged.length === 1) return join(folder, judged[0])
  throw new UsageError(`Below ${folder} there are ${judged.length} judged files (*_eval.jsonl).`, {
    hint: judged.length === 0 ? 'Judge the answers first.' : `Name one of them: ${judged.slice(0, 4).join(', ')}.`,
  })
}

function fenced(result: unknown): string {
  return `\`\`\`json\n${JSON.stringify({ result })}\n\`\`\``
}

function asPython(value: unknown): PythonValue {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
  return typeof value === 'string' || typeof value === 'boolean' ? value : null
}
