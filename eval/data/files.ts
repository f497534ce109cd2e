import { stat } from 'node:fs/promises'
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path'
import { absentAs, UsageError } from '../../src/core/errors.ts'
import { filesBelow } from '../../src/store/files-below.ts'
import { madeSplit, readMadeSet } from './benchmark-json.ts'
import { isRecordFile } from './records.ts'

// Which files hold a benchmark's questions, and which split each is of.
export interface Annotations {
  isFile(name: string): boolean // as its makers name them; where none is there, any file of records is taken
  splitOf?(place: readonly string[]): string | undefined // by the folders around it and its name
  isMany?: boolean // the files of a split are read together
}

export type FilesBySplit = Map<string | undefined, string[]>

// The files that a person meant, by the split that each names: the named file itself, or those in a folder, up to two levels down.
export async function annotationFiles(
  path: string,
  benchmark: string,
  { isFile, splitOf }: Annotations,
): Promise<FilesBySplit> {
  const kind = await stat(path).catch(absentAs(undefined))
  if (!kind) throw new UsageError(`There is nothing at ${path}.`, { hint: `See "longtake bench show ${benchmark}".` })
  const generated = await madeFiles(path, kind.isFile())
  if (generated) return new Map([[madeSplit, generated]])
  const readable = kind.isFile() ? [path] : (await filesBelow(path, 2)).filter(file => isRecordFile(basename(file)))
  const named = readable.filter(file => isFile(basename(file)))
  const files = (named.length > 0 ? named : readable).sort()
  if (files.length === 0)
    throw new UsageError(`The folder ${path} holds no annotation file of ${benchmark}.`, {
      hint: `"longtake bench show ${benchmark}" says what to download and where it goes. --data also takes the file itself.`,
    })
  const around = resolve(path)
    .split(sep)
    .slice(kind.isFile() ? -3 : -2)
  const splits: FilesBySplit = new Map()
  for (const file of files) {
    const split = splitOf?.([...around, ...relative(path, file).split(sep)].filter(part => part !== ''))
    splits.set(split, [...(splits.get(split) ?? []), file])
  }
  return splits
}

// Those of a made set: what its benchmark.json lists, or the file of it that was named.
async function madeFiles(path: string, isFile: boolean): Promise<string[] | undefined> {
  if (isFile) {
    const folders = [dirname(path), dirname(dirname(path))]
    const sets = await Promise.all(folders.map(readMadeSet))
    return sets.some(set => set !== undefined) ? [path] : undefined
  }
  const set = await readMadeSet(path)
  if (!set) return undefined
  const files = set.annotations.map(name => join(path, name))
  for (const file of files)
    if (!(await stat(file).catch(absentAs(undefined)))?.isFile())
      throw new UsageError(`${file} is missing: benchmark.json of the set lists it.`, {
        hint: `Make the set whole again: longtake bench make --resume ${path}.`,
      })
  return files
}

// A split by words in the name of a file, else by the name of a folder, the nearest first.
export function splitByName(
  names: Record<string, readonly string[]>,
): (place: readonly string[]) => string | undefined {
  return place => {
    const file = removeExtension(place.at(-1) ?? '')
    const folders = place.slice(0, -1).reverse()
    const find = (fits: (word: string) => boolean) => Object.keys(names).find(split => names[split]?.some(fits))
    const inFile = find(word => new RegExp(`(?<![a-z0-9])${word}(?![a-z0-9])`).test(file))
    return inFile ?? folders.flatMap(folder => find(word => folder.toLowerCase() === word) ?? []).at(0)
  }
}

// "Test-00000-of-00001.parquet" as "test-00000-of-00001".
export function removeExtension(name: string): string {
  return name.slice(0, name.length - extname(name).length).toLowerCase()
}
