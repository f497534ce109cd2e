import type { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import { jsonOf, readText } from '../../src/store/read-file.ts'
import { loadBenchmark } from '../benchmarks/index.ts'
import { firstIssue } from '../data/parse-record.ts'
import { readRecords } from '../data/records.ts'
import { pathsOf } from './paths.ts'
import { proposeMap } from './propose-map.ts'
import { type MappedRecord, RecordMap, readByMap } from './record-map.ts'

export interface MappedFile {
  paths: ReturnType<typeof pathsOf>
  map: RecordMap
  records: MappedRecord[] // in the layout that the benchmark reads by itself
}

// A file of a layout that is not known, read by a map: the one that is given, or a proposed one.
export async function mapFile(benchmark: string, data: string, mapPath?: string): Promise<MappedFile> {
  const { mapped } = await loadBenchmark(benchmark)
  if (!mapped)
    throw new UsageError(`The layout of ${benchmark} is known: it needs no map.`, {
      hint: `"longtake bench show ${benchmark}" says which file is read.`,
    })
  const top = await contentOf(data)
  const map = mapPath === undefined ? proposeMap(top, data, mapped) : await readMap(mapPath)
  return { paths: pathsOf(top), map, records: readByMap(top, map, data) }
}

// A JSON file as it is, other files as the list of their records.
async function contentOf(data: string): Promise<unknown> {
  const records = await readRecords(data)
  return records.length === 1 && /\.json$/i.test(data) ? records[0] : records
}

async function readMap(path: string): Promise<RecordMap> {
  const parsed = RecordMap.safeParse(jsonOf(await readText(path)))
  if (parsed.success) return parsed.data
  const error: z.ZodError = parsed.error
  throw new UsageError(`${path} is no map: ${firstIssue(error, 'the whole')}.`, {
    hint: 'Write one with "longtake bench map NAME --data FILE --out map.json" and correct it.',
  })
}
