import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { UsageError } from '../../src/core/errors.ts'
import { madeSplit } from '../data/benchmark-json.ts'
import { annotationFiles, type FilesBySplit } from '../data/files.ts'
import type { Sample } from '../data/sample.ts'
import type { Benchmark } from './benchmark.ts'

interface SplitRecords<Item> {
  records: Item[]
  files: string[] // that hold them
  split?: string // undefined: neither file nor content tells
}

// The records of one split. A split that was asked for is the one that is read, or nothing is; among several none is preferred.
export async function readSplit<Item>(
  benchmark: Benchmark<Item>,
  data: string,
  wanted?: string,
): Promise<SplitRecords<Item>> {
  const { name } = benchmark
  const { annotations, records } = benchmark.data
  const splits = await annotationFiles(data, name, annotations)
  const [only, ...others] = splits.keys()
  if (wanted === undefined && others.length > 0) throw severalSplits(name, data, splits)
  const chosen = wanted !== undefined && splits.has(wanted) ? wanted : only
  const files = splits.get(chosen) ?? []
  if (wanted !== chosen && others.length > 0) throw noSplit(name, data, wanted, listSplitNames(splits))
  if (files.length > 1 && !annotations.isMany) throw severalFiles(name, data, files)
  const fileRecords = await records(files)
  const splitRecords =
    chosen === madeSplit
      ? undefined
      : findEdition(benchmark, hashSamples(allSamples(benchmark, fileRecords)), fileRecords.length)
  if (splitRecords !== undefined && chosen !== undefined && splitRecords !== chosen)
    throw new UsageError(
      `${files.join(', ')} is named as ${chosen} of ${name}, and holds the questions of ${splitRecords}.`,
      {
        hint: `Fetch the file again, or rename it and use --split ${splitRecords}.`,
      },
    )
  const split = chosen ?? splitRecords
  if (wanted === undefined || wanted === split) return { records: fileRecords, files, split }
  return { records: ofRecords(benchmark, data, wanted, fileRecords, split), files, split: wanted }
}

// The split whose published questions these are.
export function findEdition(
  { data: { editions = [] } }: Pick<Benchmark, 'data'>,
  dataHash: string,
  records: number,
): string | undefined {
  return editions.find(one => (one.dataHash === undefined ? one.records === records : one.dataHash === dataHash))?.split
}

// Of what is asked: a run is resumed only on the same data, and data are known again by it.
export function hashSamples(samples: readonly Sample[]): string {
  const hash = createHash('sha256')
  for (const { id, video, question, reference, choice } of samples)
    hash.update(`${JSON.stringify([id, video, question, reference, choice])}\n`)
  return hash.digest('hex')
}

export function allSamples<Item>(
  { samples }: Pick<Benchmark<Item>, 'samples'>,
  records: readonly Item[],
): Sample<Item>[] {
  return records.flatMap((record, place) => samples(record, place))
}

// Where the short ids of the data are not unique, each sample goes by its long id.
export function nameSamples<Item>(samples: readonly Sample<Item>[], all = samples): Sample<Item>[] {
  const isUnique = new Set(all.map(({ id }) => id)).size === all.length
  return samples.map(sample => (isUnique ? sample : { ...sample, id: sample.longId ?? sample.id }))
}

// Where the records of several splits share a file, each says its own.
function ofRecords<Item>(
  { name, data: { splitOf } }: Benchmark<Item>,
  data: string,
  wanted: string,
  records: readonly Item[],
  split: string | undefined,
): Item[] {
  const fitting = records.filter(record => splitOf?.(record) === wanted)
  if (fitting.length > 0) return fitting
  const named = new Set([split, ...records.map(record => splitOf?.(record))])
  throw noSplit(
    name,
    data,
    wanted,
    [...named].filter(one => one !== undefined),
  )
}

function noSplit(name: string, data: string, wanted: string | undefined, found: readonly string[]): UsageError {
  return new UsageError(`There is no split "${wanted}" of ${name} at ${data}.`, {
    hint: found.length > 0 ? `Found there: ${found.join(', ')}.` : 'What lies there names no split: leave --split out.',
  })
}

function severalSplits(name: string, data: string, splits: FilesBySplit): UsageError {
  return new UsageError(
    `The folder ${data} holds ${splits.size} splits of ${name}: ${listSplitNames(splits).join(', ')}.`,
    {
      hint: 'Choose one with --split NAME, or name its file as --data.',
    },
  )
}

function severalFiles(name: string, data: string, files: readonly string[]): UsageError {
  const more = files.length > 5 ? ', ...' : ''
  return new UsageError(`The folder ${data} holds ${files.length} files that could be the annotations of ${name}.`, {
    hint: `Name one of them as --data: ${files.slice(0, 5).join(', ')}${more}.`,
  })
}

// Files that name no split stand for themselves.
function listSplitNames(splits: FilesBySplit): string[] {
  return [...splits].flatMap(([split, files]) => split ?? files.map(file => basename(file)))
}
