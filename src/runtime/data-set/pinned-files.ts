import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { HubFile } from '../../../models/hub/hub-client.ts'
import { absentAs, UsageError } from '../../core/errors.ts'
import { type DataLock, type FilePin, findChangedFiles } from '../../store/models/data-lock.ts'

// What a folder pins, seen from the commit that it is to hold: files of that commit, and files of one before that are still to be
// replaced.
export interface Pins {
  current: Readonly<Record<string, FilePin>>
  before: Readonly<Record<string, FilePin>>
}

export function pinsFor(lock: DataLock | undefined, commit: string): Pins {
  if (!lock) return { current: {}, before: {} }
  if (lock.commit === commit) return { current: lock.files, before: lock.replaced ?? {} }
  return { current: {}, before: { ...lock.replaced, ...lock.files } }
}

// As it was fetched and pinned, or put here by hand and equal. What a person changed or put here is never written over.
export async function isHere(
  to: string,
  file: HubFile,
  { current, before }: Pins,
  signal: AbortSignal,
): Promise<boolean> {
  const target = join(to, file.path)
  const stats = await stat(target).catch(absentAs(undefined))
  if (!stats) return false
  const pin = current[file.path] ?? before[file.path]
  const isChanged = pin !== undefined && (await findChangedFiles(to, { [file.path]: pin }, signal)).length > 0
  if (current[file.path] && !isChanged) return true
  // An update that was stopped may have replaced it already.
  if (!current[file.path] && stats.size === file.bytes && (await hasChecksum(target, file, signal))) return true
  if (pin && !isChanged) return false
  const fault = pin
    ? `Changed in ${to} since it was fetched: ${file.path}.`
    : `${target} is there, is not what the hub has, and was not fetched by longtake.`
  throw new UsageError(fault, { hint: 'Move it away, or fetch into another folder with --to.' })
}

async function hasChecksum(place: string, { bytes, checksum }: HubFile, signal: AbortSignal): Promise<boolean> {
  if (!checksum) return false
  const hash = checksum.kind === 'git' ? createHash('sha1').update(`blob ${bytes}\0`) : createHash('sha256')
  for await (const chunk of createReadStream(place, { signal })) hash.update(chunk)
  return hash.digest('hex') === checksum.value
}
