import type { z } from 'zod'
import { errorText, UsageError } from '../../src/core/errors.ts'
import { jsonOf, readText } from '../../src/store/read-file.ts'
import { withScratchFile } from '../../src/store/temporary.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import { loadBenchmark } from '../benchmarks/index.ts'
import { allSamples } from '../benchmarks/read-split.ts'
import { firstIssue } from '../data/parse-record.ts'
import { readRecords } from '../data/records.ts'
import { mapNotes } from './map-notes.ts'
import { pathsOf } from './paths.ts'
import { proposeMap } from './propose-map.ts'
import { RecordMap, readByMap } from './record-map.ts'
import { writtenRecord } from './written-record.ts'

export interface MappedFile {
  paths: ReturnType<typeof pathsOf>
  map: RecordMap
  notes: string[] // what a person must know of it
  records: Record<string, unknown>[] // in the layout that the benchmark reads by itself
}

// A file of a layout that is not known, read by a map: the one that is given, or a proposed one.
export async function mapFile(benchmark: string, data: string, mapPath?: string): Promise<MappedFile> {
  const loaded = await loadBenchmark(benchmark)
  const { mapped } = loaded
  if (!mapped)
    throw new UsageError(`${benchmark} is not read by a map.`, {
      hint: `"longtake bench show ${benchmark}" says which file is read.`,
    })
  const top = await contentOf(data)
  const map = mapPath === undefined ? proposeMap(top, data, mapped) : await readMap(mapPath)
  const records = readByMap(top, map, data).map((record, place) => writtenRecord(record, place, mapped))
  await checkReadable(loaded, records, data)
  return { paths: pathsOf(top), map, notes: mapNotes(top, map), records }
}

// A JSON file as it is, other files as the list of their records.
async function contentOf(data: string): Promise<unknown> {
  const records = await readRecords(data)
  return records.length === 1 && /\.json$/i.test(data) ? records[0] : records
}

// Read back as a run reads them: what its reader lacks is known before anything is written for a run.
async function checkReadable(benchmark: Benchmark, records: readonly object[], file: string): Promise<void> {
  const lines = records.map(one => `${JSON.stringify(one)}\n`).join('')
  try {
    const found = await withScratchFile('records.jsonl', lines, written => benchmark.records([written]))
    allSamples(benchmark, found)
    if (found.length === records.length) return
    throw new UsageError(`${found.length} of ${records.length} records are read.`)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(`What the map reads in ${file} is not enough for ${benchmark.name}: ${errorText(error)}`, {
      hint: 'Name the path of each field that is lacking in the map: "more": {"field": "path"}.',
      cause: error,
    })
  }
}

async function readMap(path: string): Promise<RecordMap> {
  const parsed = RecordMap.safeParse(jsonOf(await readText(path)))
  if (parsed.success) return parsed.data
  const error: z.ZodError = parsed.error
  throw new UsageError(`${path} must be a map: ${firstIssue(error, 'the whole')}.`, {
    hint: 'Write one with "longtake bench map NAME --data FILE --out map.json" and correct it.',
  })
}
