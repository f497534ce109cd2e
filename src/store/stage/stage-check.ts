import type { BigIntStats } from 'node:fs'
import { rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { absentAs, errorCode, type StorageError } from '../../core/errors.ts'
import { StageMeta } from '../../core/stage.ts'
import { storedStage } from '../../core/words/stage-names.ts'
import { ensureFolder, syncFolder } from '../durable.ts'
import { listNames, parseStoredJson, readTextFile } from '../read-file.ts'
import { isBroken, newerFormat } from '../sealed-record.ts'
import { formatLook, type SeenPaths } from '../seen-paths.ts'
import { onDisk } from '../storage-error.ts'
import { isAsWritten } from './file-check.ts'

type StageCheck =
  | { state: 'whole'; meta: StageMeta; seen: SeenPaths }
  | { state: 'damaged'; fault: string }
  | { state: 'newer'; error: StorageError } // written by a newer longtake: to be left as it is
  | { state: 'absent' }

// How closely a result is looked at. sizes: for lists. use: by its content too, once in a process for as long as the files
// stay untouched; of large files some blocks. hashes: by every byte.
type Closeness = 'sizes' | 'use' | 'hashes'

// Whether a result is what its meta file says.
export async function checkStage(videoFolder: string, stage: string, key: string, by: Closeness): Promise<StageCheck> {
  const folder = stageFolder(videoFolder, stage, key)
  const file = join(folder, 'meta.json')
  const text = await readTextFile(file)
  if (text === undefined && !(await readStat(folder))) return { state: 'absent' }
  const value = parseStoredJson(text)
  if (isBroken(value)) return { state: 'damaged', fault: 'meta.json has other content than was written' }
  const error = newerFormat(file, value, 1)
  if (error) return { state: 'newer', error }
  const { data: meta } = StageMeta.safeParse(value)
  if (!meta) return { state: 'damaged', fault: `meta.json ${text === undefined ? 'is missing' : 'cannot be read'}` }
  if (meta.stage !== storedStage(stage) || meta.key !== key)
    return { state: 'damaged', fault: 'meta.json is that of another result' }
  const files = await Promise.all(
    Object.entries(meta.files).map(async ([name, expected]) => {
      const path = join(folder, name)
      return { path, name, expected, found: await readStat(path) }
    }),
  )
  for (const { name, expected, found } of files) {
    if (!found) return { state: 'damaged', fault: `${name} is missing` }
    if (Number(found.size) !== expected.bytes)
      return { state: 'damaged', fault: `${name} has ${found.size} bytes in place of ${expected.bytes}` }
  }
  const seen = new Map(files.map(({ path, found }) => [path, formatLook(found)]))
  const whole = { state: 'whole', meta, seen } as const
  if (by === 'sizes') return whole
  const looks = [...seen].join('\n')
  if (by === 'use' && checked.get(folder) === looks) return whole
  for (const { path, name, expected } of files) {
    if (!(await onDisk(`read ${path}`, () => isAsWritten(path, name, expected, by === 'use' ? 'use' : 'whole'))))
      return { state: 'damaged', fault: `${name} has other content than was written` }
  }
  if (checked.size > 20_000) checked.clear()
  checked.set(folder, looks)
  return whole
}

// Results that this process has checked, and what their files looked like then.
const checked = new Map<string, string>()

// Moves a damaged result out of the way, where the user can still look at it. Returns its new path.
export async function quarantine(videoFolder: string, stage: string, key: string): Promise<string> {
  const folder = stageFolder(videoFolder, stage, key)
  const shelf = join(videoFolder, 'quarantine')
  const target = join(shelf, `${stage}-${key}-${Date.now()}`)
  await onDisk(`move the damaged ${folder} to ${shelf}`, async () => {
    await ensureFolder(shelf)
    await rename(folder, target).catch(error => {
      if (errorCode(error) !== 'ENOENT') throw error // another process moved it first
    })
    await syncFolder(shelf)
  })
  return target
}

// The folder of a finished result.
export function stageFolder(videoFolder: string, stage: string, key: string): string {
  return join(videoFolder, 'stages', storedStage(stage), key)
}

// Only what does not exist counts as missing. A disk that cannot answer is an error: a good result must not be moved away.
async function readStat(path: string): Promise<BigIntStats | undefined> {
  return onDisk(`read ${path}`, () => stat(path, { bigint: true }).catch(absentAs(undefined)))
}

// All whole results of one stage of a video, whatever they were made from.
export async function listStageResults(videoFolder: string, stage: string): Promise<StageMeta[]> {
  const keys = await listNames(join(videoFolder, 'stages', storedStage(stage)))
  const checks = await Promise.all(keys.map(key => checkStage(videoFolder, stage, key, 'sizes')))
  return checks.flatMap(check => (check.state === 'whole' ? [check.meta] : []))
}

// The same of every stage.
export async function listStages(videoFolder: string): Promise<StageMeta[]> {
  const stages = await listNames(join(videoFolder, 'stages'))
  return (await Promise.all(stages.map(stage => listStageResults(videoFolder, stage)))).flat()
}
