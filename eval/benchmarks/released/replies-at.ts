import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { UsageError } from '../../../src/core/errors.ts'
import { fileLines } from '../../data/lines.ts'
import { isRecordFile, readRecords } from '../../data/records.ts'
import type { Sample } from '../../data/sample.ts'
import type { Benchmark } from '../benchmark.ts'
import { findLog, logLines } from './logs-of-others.ts'

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

// What a list, a table or lines begin with; undefined where that cannot be told, as of a first line that is torn.
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
