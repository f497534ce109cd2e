import { readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { contentHash } from '../core/hash.ts'
import { StageMeta, type StageResult, type StageWriter } from '../core/stage.ts'
import { makeFolder, syncFolder, writeDurably } from './durable.ts'
import { refuseNewer } from './format.ts'
import { stageFiles } from './stage-files.ts'
import { asStorageError, errorCode, onDisk } from './storage-error.ts'
import { temporaryFolder } from './temporary.ts'

export { readStage } from './stage-reader.ts'

export interface StageIdentity {
  video: string
  stage: string
  by: string
  settings: unknown
  inputs: Record<string, string> // stage name to its key
  version: string // of the backend: see core/backend.ts
}

// The name of a stage's result: equal content, equal key. Swapping a backend redoes its stage and what depends on it.
export function stageKey(identity: StageIdentity): string {
  return contentHash({ format: 1, ...identity }).slice(0, 32)
}

export interface StageRequest {
  folder: string // the video's
  stage: string
  key: string
  by: string
  settings: unknown
  inputs: Record<string, string>
  video: string
  make(writer: StageWriter): Promise<void>
  signal: AbortSignal
}

// The finished result if there is one; else makes it. Until the last rename nothing of it can be seen,
// so a kill at any moment leaves either the whole stage or none of it.
export async function runStage(request: StageRequest): Promise<StageResult> {
  const found = await findStage(request.folder, request.stage, request.key)
  if (found) return found
  request.signal.throwIfAborted()
  const parent = join(request.folder, 'stages', request.stage)
  const doing = `write stage "${request.stage}" in ${parent}`
  const started = performance.now()
  const work = temporaryFolder(parent)
  try {
    await onDisk(doing, () => makeFolder(work.path))
    const files = stageFiles(work.path, doing)
    await request.make(files.writer)
    request.signal.throwIfAborted()
    return await onDisk(doing, async () => {
      const meta: StageMeta = {
        format: 1,
        stage: request.stage,
        key: request.key,
        video: request.video,
        by: request.by,
        settings: request.settings,
        inputs: request.inputs,
        seconds: Math.round(performance.now() - started) / 1000,
        finished: new Date().toISOString(),
        files: await files.finish(),
        notes: files.notes,
      }
      await writeDurably(join(work.path, 'meta.json'), `${JSON.stringify(meta, null, 2)}\n`)
      return await publish(request, work.path, meta)
    })
  } catch (error) {
    await rm(work.path, { recursive: true, force: true }).catch(() => {}) // the next sweep takes it; tell the first error
    throw writesInto(error, work.path) ? asStorageError(error, doing) : error
  } finally {
    work.done()
  }
}

// The finished result, its sizes checked; a damaged one is moved to quarantine and counts as not there.
export async function findStage(videoFolder: string, stage: string, key: string): Promise<StageResult | undefined> {
  const folder = join(videoFolder, 'stages', stage, key)
  const file = join(folder, 'meta.json')
  const text = await readFile(file, 'utf8').catch(error => {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined
    throw asStorageError(error, `read ${file}`)
  })
  if (text === undefined && !(await stat(folder).catch(() => undefined))) return undefined
  const meta = readMeta(file, text)
  if (meta && meta.stage === stage && meta.key === key && (await sizesMatch(folder, meta)))
    return { stage, key, folder, meta, reused: true }
  await quarantine(videoFolder, folder)
  return undefined
}

// Moves a damaged result out of the way, where a person can still look at it. Returns where it lies now.
export async function quarantine(videoFolder: string, folder: string): Promise<string> {
  const shelf = join(videoFolder, 'quarantine')
  const place = join(shelf, `${basename(join(folder, '..'))}-${basename(folder)}-${Date.now()}`)
  await onDisk(`move the damaged ${folder} to ${shelf}`, async () => {
    await makeFolder(shelf)
    await rename(folder, place).catch(error => {
      if (errorCode(error) !== 'ENOENT') throw error // another process moved it first
    })
    await syncFolder(shelf)
  })
  return place
}

function readMeta(file: string, text: string | undefined): StageMeta | undefined {
  let value: unknown
  try {
    value = JSON.parse(text ?? '')
  } catch {
    return undefined
  }
  refuseNewer(file, value, 1)
  return StageMeta.safeParse(value).data
}

async function sizesMatch(folder: string, meta: StageMeta): Promise<boolean> {
  const sizes = await Promise.all(
    Object.entries(meta.files).map(async ([name, { bytes }]) => {
      const found = await stat(join(folder, name)).catch(() => undefined)
      return found?.size === bytes
    }),
  )
  return sizes.every(Boolean)
}

// The first to publish wins: equal key, equal meaning, so a result that is there already is as good as ours.
async function publish(request: StageRequest, work: string, meta: StageMeta): Promise<StageResult> {
  const { stage, key } = request
  const parent = join(request.folder, 'stages', stage)
  const folder = join(parent, key)
  try {
    await rename(work, folder)
  } catch (error) {
    const theirs = ['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(errorCode(error) ?? '')
      ? await findStage(request.folder, stage, key)
      : undefined
    if (!theirs) throw error
    await rm(work, { recursive: true, force: true })
    return theirs
  }
  await syncFolder(parent)
  return { stage, key, folder, meta, reused: false }
}

// A full disk is the disk's doing wherever it is met; a refused right is ours to tell only inside our own folder.
function writesInto(error: unknown, folder: string): boolean {
  const code = errorCode(error)
  if (!code) return false
  if (['ENOSPC', 'EDQUOT', 'EROFS'].includes(code) || code.startsWith('SQLITE_')) return true
  return error instanceof Error && 'path' in error && String(error.path).startsWith(folder)
}
