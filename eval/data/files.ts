import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { absentAs, forbidden, UsageError } from '../../src/core/errors.ts'
import { isRecordFile } from './records.ts'

// The files that a person meant: the named file itself, or those of the names (in a folder, one or two levels down).
export async function dataFiles(path: string, benchmark: string, wanted: (name: string) => boolean): Promise<string[]> {
  const kind = await stat(path).catch(absentAs(undefined))
  if (!kind) throw new UsageError(`There is nothing at ${path}.`, { hint: `See "longtake bench show ${benchmark}".` })
  if (kind.isFile()) return [path]
  const found = (await filesBelow(path, 2)).filter(file => wanted(basename(file))).sort()
  if (found.length > 0) return found
  throw new UsageError(`The folder ${path} holds no annotation file of ${benchmark}.`, {
    hint: `"longtake bench show ${benchmark}" says what to download and where it goes. --data also takes the file itself.`,
  })
}

// As above where one is needed: the first of the names that is there, else the only file that holds records at all.
export async function dataFile(path: string, benchmark: string, names: readonly string[]): Promise<string> {
  const files = await dataFiles(path, benchmark, name => names.includes(name) || isRecordFile(name))
  const named = names.flatMap(name => files.find(file => basename(file) === name) ?? [])
  const [file, ...others] = named.length > 0 ? named.slice(0, 1) : files
  if (file !== undefined && others.length === 0) return file
  const shown = files.slice(0, 5).map(file => basename(file))
  throw new UsageError(
    `The folder ${path} holds ${files.length} files that could be the annotations of ${benchmark}.`,
    { hint: `Name one of them as --data: ${shown.join(', ')}${files.length > 5 ? ', ...' : ''}.` },
  )
}

// The files of a person's folder, links followed; what may not be read there is not found.
export async function filesBelow(folder: string, levels: number): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(absentAs([], ...forbidden))) {
    const path = join(folder, entry.name)
    const kind = entry.isSymbolicLink() ? await stat(path).catch(absentAs(undefined, 'ELOOP', ...forbidden)) : entry
    if (kind?.isFile()) found.push(path)
    else if (kind?.isDirectory() && levels > 0) found.push(...(await filesBelow(path, levels - 1)))
  }
  return found
}
