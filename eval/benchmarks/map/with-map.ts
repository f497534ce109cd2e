import type { z } from 'zod'
import { errorText, UsageError } from '../../../src/core/errors.ts'
import { parseStoredJson, readTextFile } from '../../../src/store/read-file.ts'
import { withScratchFile } from '../../../src/store/temporary.ts'
import { explainFirstIssue } from '../../data/parse-record.ts'
import { readDataFile } from '../../data/records.ts'
import type { Benchmark } from '../benchmark.ts'
import { allSamples } from '../read-split.ts'
import { RecordMap, readByMap, refuseTwins } from './record-map.ts'
import { type MappedFields, writtenRecord } from './written-record.ts'

// A benchmark that reads files of another layout, by a map.
export function withMap<Item>(benchmark: Benchmark<Item>, map: RecordMap | undefined): Benchmark<Item> {
  if (!map) return benchmark
  const fields = mappedFields(benchmark)
  const records = async (files: readonly string[]) => {
    const tops = await Promise.all(files.map(async file => [await readDataFile(file), file] as const))
    const mapped = tops.flatMap(([top, file]) => readByMap(top, map, file))
    refuseTwins(mapped, map, files.join(', '))
    const written = mapped.map((record, place) => writtenRecord(record, place, fields))
    return readBack(benchmark, written, files.join(', '))
  }
  return { ...benchmark, data: { ...benchmark.data, records } }
}

export function mappedFields({ name, data: { mapped } }: Pick<Benchmark, 'name' | 'data'>): MappedFields {
  if (mapped) return mapped
  throw new UsageError(`${name} is not read by a map.`, {
    hint: `"longtake bench show ${name}" says which file is read.`,
  })
}

const inTheMap =
  'Correct the map ("bench map" writes one with --out): "more": {"field": "path"} names where a lacking field lies, "values": {"task": {"as it stands": "NAME"}} what a task is called.'

// Records as the benchmark's own reader has them; what it lacks is said by the file that the map read.
export async function readBack<Item>(
  benchmark: Benchmark<Item>,
  records: readonly object[],
  file: string,
): Promise<Item[]> {
  const lines = records.map(one => `${JSON.stringify(one)}\n`).join('')
  let scratch = ''
  try {
    const result = await withScratchFile('records.jsonl', lines, written => {
      scratch = written
      return benchmark.data.records([written])
    })
    allSamples(benchmark, result)
    if (result.length === records.length) return result
    throw new UsageError(`${result.length} of ${records.length} records are read.`)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const fault = errorText(error).replaceAll(`${scratch}, `, '')
    throw new UsageError(`What the map reads in ${file} is not enough for ${benchmark.name}: ${fault}`, {
      hint: [error.hint, inTheMap].flatMap(hint => hint ?? []).join(' '),
      cause: error,
    })
  }
}

export async function readMap(path: string): Promise<RecordMap> {
  const text = await readTextFile(path)
  const hint = 'Write one with "longtake bench map NAME --data FILE --out map.json" and correct it.'
  if (text === undefined) throw new UsageError(`There is no file at ${path}.`, { hint })
  const parsed = RecordMap.safeParse(parseStoredJson(text))
  if (parsed.success) return parsed.data
  const error: z.ZodError = parsed.error
  throw new UsageError(`${path} must be a map: ${explainFirstIssue(error, 'the whole')}.`, { hint })
}
