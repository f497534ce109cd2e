import { rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { absentAs, UsageError } from '../../core/errors.ts'
import { checkHubFile } from '../../core/model-names.ts'
import { ensureFolder, writeDurably } from '../durable.ts'
import { parseStoredJson, readTextFile } from '../read-file.ts'
import { onDisk } from '../storage-error.ts'
import { fileChecksum } from './model-pins.ts'

const FilePin = z.object({ bytes: z.number(), sha256: z.string() })
export type FilePin = z.infer<typeof FilePin>

// data.lock.json: which revision of a data set lies in a folder, with the size and the hash of each file as it was fetched.
const DataLock = z.object({
  format: z.literal(1),
  dataset: z.string(),
  revision: z.string(), // as it was asked for
  commit: z.string(),
  files: z.record(z.string(), FilePin),
  replaced: z.record(z.string(), FilePin).optional(), // of the revision before, which an update that was stopped has still to replace
})
export type DataLock = z.infer<typeof DataLock>

export const lockName = 'data.lock.json'

export async function readDataLock(folder: string): Promise<DataLock | undefined> {
  const file = join(folder, lockName)
  const text = await readTextFile(file)
  if (text === undefined) return undefined
  const parsed = DataLock.safeParse(parseStoredJson(text))
  if (!parsed.success)
    throw new UsageError(`${file} is damaged.`, { hint: 'Move it away; "longtake bench fetch" writes it anew.' })
  const { files, replaced } = parsed.data
  for (const path of Object.keys({ ...files, ...replaced })) checkHubFile(path)
  return parsed.data
}

export async function writeDataLock(folder: string, lock: DataLock): Promise<void> {
  await writeDurably(join(folder, lockName), `${JSON.stringify(lock, null, 2)}\n`, 'umask')
}

// Gives a file that came whole its place in the folder.
export async function placeDataFile(folder: string, path: string, blob: string): Promise<void> {
  const target = join(folder, checkHubFile(path))
  await onDisk(`write ${target}`, async () => {
    await ensureFolder(dirname(target), 'umask')
    await rename(blob, target)
  })
}

// Where files grow until they are whole.
export function partsFolder(folder: string): string {
  return join(folder, '.fetching')
}

export async function removePartialFiles(folder: string): Promise<void> {
  await rm(partsFolder(folder), { recursive: true, force: true })
}

const readUpTo = 100_000_000 // bytes; of larger files the size is compared

// The files that are not what was fetched. Those that are gone do not count.
export async function findChangedFiles(
  folder: string,
  files: Readonly<Record<string, FilePin>>,
  signal: AbortSignal,
): Promise<string[]> {
  const changed: string[] = []
  for (const [path, { bytes, sha256 }] of Object.entries(files)) {
    const file = join(folder, path)
    const stats = await stat(file).catch(absentAs(undefined))
    if (!stats) continue
    const isOther = stats.size !== bytes || (bytes <= readUpTo && (await fileChecksum(file, signal)).sha256 !== sha256)
    if (isOther) changed.push(path)
  }
  return changed
}
