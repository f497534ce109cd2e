import { readDataFile } from '../../data/records.ts'
import { loadBenchmark } from '../index.ts'
import { mapNotes } from './map-notes.ts'
import { listPaths } from './paths.ts'
import { proposeMap } from './propose-map.ts'
import { type RecordMap, readByMap } from './record-map.ts'
import { mappedFields, readBack, readMap } from './with-map.ts'
import { writtenRecord } from './written-record.ts'

export interface MappedFile {
  paths: ReturnType<typeof listPaths>
  map: RecordMap
  notes: string[] // what a person must know of it
  records: Record<string, unknown>[] // in the layout that the benchmark reads by itself
}

// A file of a layout that is not known, read by a map: the one that is given, or a proposed one. `keep` gets the map before it is tried:
// one that lacks something is what a person corrects.
export async function mapFile(
  benchmark: string,
  data: string,
  mapPath?: string,
  keep?: (map: RecordMap) => Promise<void>,
): Promise<MappedFile> {
  const loaded = await loadBenchmark(benchmark)
  const fields = mappedFields(loaded)
  const top = await readDataFile(data)
  const map = mapPath === undefined ? proposeMap(top, data, fields) : await readMap(mapPath)
  await keep?.(map)
  const records = readByMap(top, map, data).map((record, place) => writtenRecord(record, place, fields))
  await readBack(loaded, records, data) // before anything is written for a run
  return { paths: listPaths(top), map, notes: mapNotes(top, map), records }
}
