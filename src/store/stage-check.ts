import type { Stats } from 'node:fs'
import { readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { StorageError } from '../core/errors.ts'
import { StageMeta } from '../core/stage.ts'
import { makeFolder, syncFolder } from './durable.ts'
import { newerFormat } from './format.ts'
import { fileHash } from './stage-files.ts'
import { asStorageError, errorCode, onDisk } from './storage-error.ts'

export type StageCheck =
  | { state: 'whole'; meta: StageMeta }
  | { state: 'damaged'; fault: string }
  | { state: 'newer'; error: StorageError } // written by a newer longtake: to be left as it is
  | { state: 'absent' }

// Whether a result is what its meta file says, by size alone (fast, at every use) or by the hash of every byte.
export async function checkStage(
  videoFolder: string,
  stage: string,
  key: string,
  by: 'sizes' | 'hashes',
): Promise<StageCheck> {
  const folder = stageFolder(videoFolder, stage, key)
  const file = join(folder, 'meta.json')
  const text = await readFile(file, 'utf8').catch(error => {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined
    throw asStorageError(error, `read ${file}`)
  })
  if (text === undefined && !(await statOf(folder))) return { state: 'absent' }
  const value = parsed(text)
  const error = newerFormat(file, value, 1)
  if (error) return { state: 'newer', error }
  const { data: meta } = StageMeta.safeParse(value)
  if (!meta) return { state: 'damaged', fault: `meta.json ${text === undefined ? 'is missing' : 'cannot be read'}` }
  if (meta.stage !== stage || meta.key !== key)
    return { state: 'damaged', fault: 'meta.json is that of another result' }
  for (const [name, expected] of Object.entries(meta.files)) {
    const fault = await fileFault(join(folder, name), name, expected, by)
    if (fault) return { state: 'damaged', fault }
  }
  return { state: 'whole', meta }
}

// Moves a damaged result out of the way, where a person can still look at it. Returns where it lies now.
export async function quarantine(videoFolder: string, stage: string, key: string): Promise<string> {
  const folder = stageFolder(videoFolder, stage, key)
  const shelf = join(videoFolder, 'quarantine')
  const place = join(shelf, `${stage}-${key}-${Date.now()}`)
  await onDisk(`move the damaged ${folder} to ${shelf}`, async () => {
    await makeFolder(shelf)
    await rename(folder, place).catch(error => {
      if (errorCode(error) !== 'ENOENT') throw error // another process moved it first
    })
    await syncFolder(shelf)
  })
  return place
}

// Where a finished result lies.
export function stageFolder(videoFolder: string, stage: string, key: string): string {
  return join(videoFolder, 'stages', stage, key)
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

async function fileFault(
  path: string,
  name: string,
  expected: { bytes: number; sha256: string },
  by: 'sizes' | 'hashes',
): Promise<string | undefined> {
  const size = (await statOf(path))?.size
  if (size === undefined) return `${name} is missing`
  if (size !== expected.bytes) return `${name} has ${size} bytes in place of ${expected.bytes}`
  if (by === 'hashes' && (await fileHash(path)) !== expected.sha256) return `${name} has other content than was written`
  return undefined
}

// Only what is not there counts as missing. A disk that cannot answer is a fault to tell: a good result must not be moved away.
async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined
    throw asStorageError(error, `read ${path}`)
  }
}
