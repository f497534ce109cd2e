import { groupBy } from '../../../src/core/basics/group-by.ts'
import { readDataFile } from '../../data/records.ts'
import { loadBenchmark } from '../index.ts'
import { recordsIn } from './find-records.ts'
import { commonPath, type JsonPath, listPaths } from './paths.ts'
import { proposeMap } from './propose-map.ts'
import {
  asText,
  type RecordMap,
  readByMap,
  readMappedChoice,
  recordOptions,
  recordsAt,
  recordValue,
} from './record-map.ts'
import { mappedFields, readBack, readMap } from './with-map.ts'
import { writtenRecord } from './written-record.ts'

interface MappedFile {
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

// What of a file a reader of the map must know: how numbers are counted, and what lies where the map does not look.
export function mapNotes(top: unknown, map: RecordMap): string[] {
  const placed = recordsAt(top, map.records)
  const fits = (form: RecordMap['answerIs']) =>
    placed.every(one => {
      const answer = asText(recordValue(one, map.answer)) ?? ''
      return (
        readMappedChoice(
          answer,
          recordOptions(one, map.options).map(option => option ?? ''),
          form,
        ) !== undefined
      )
    })
  const other = map.answerIs === 'from 0' ? 'from 1' : 'from 0'
  const isCounted = map.answerIs === 'from 0' || map.answerIs === 'from 1'
  const doubt = fits(other)
    ? `; they fit "${other}" as well: look at the records, and set answerIs where it is wrong`
    : ''
  const path = map.records === '' ? [] : map.records.split('.')
  // What lies in a record that is read, or around it, is not another record.
  const isRead = (found: JsonPath) => path.every((name, at) => at >= found.length || name === '*' || name === found[at])
  const { outer, lists } = recordsIn(top)
  const unreadFields = outer.filter(found => !isRead(found))
  const places = [...groupBy(unreadFields, found => String(found.length)).values()].map(
    found => `${found.length} at "${commonPath(found, lists).join('.')}"`,
  )
  return [
    ...(isCounted ? [`Answers are numbers, read as "${map.answerIs}"${doubt}.`] : []),
    ...(unreadFields.length > 0
      ? [
          `${unreadFields.length} records with options lie where this map does not read: ${places.join(', ')}. Each depth takes a map of its own.`,
        ]
      : []),
  ]
}
