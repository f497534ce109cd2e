import { existsSync } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { z } from 'zod'
import { breather } from '../../core/basics/signals.ts'
import { errorCode, StorageError } from '../../core/errors.ts'
import { contentHash } from '../../core/json.ts'
import type { SharedStages, StageMeta, StageReader, StageWriter, StoredResult } from '../../core/stage.ts'
import { stageNamed, storedStage } from '../../core/words/stage-names.ts'
import { ensureFolder, syncFolder } from '../durable.ts'
import { saveRecord } from '../sealed-record.ts'
import { asStorageError, onDisk } from '../storage-error.ts'
import { temporaryFolder, temporaryPath } from '../temporary.ts'
import { checkStage, quarantine, stageFolder } from './stage-check.ts'
import { stageFiles } from './stage-files.ts'
import { removeStageParts, stageParts } from './stage-parts.ts'

interface StageIdentity {
  video: string
  stage: string
  by: string
  settings: unknown
  inputs: Record<string, string> // stage name to its key
  version: string // of the backend: see core/backend.ts
}

// The name of a stage's result: equal content, equal key. Swapping a backend redoes its stage and what depends on it.
export function stageKey(identity: StageIdentity): string {
  return contentHash({ format: 1, ...identity, stage: storedStage(identity.stage) }).slice(0, 32)
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
  ran?(): StageMeta['ran'] // asked when it is made
  signal: AbortSignal
  onDamage?(line: string): void
  shared?: SharedStages
}

// The finished result if there is one; else makes it. Until the last rename nothing of it can be seen,
// so a kill at any moment leaves either the whole stage or none of it.
export async function findOrMakeStage(request: StageRequest): Promise<StoredResult> {
  const { folder, stage, key, shared, onDamage } = request
  const here = await complete(await findStage(folder, stage, key, onDamage))
  const theirs = here ? undefined : await complete(await pulled(folder, stage, key, shared))
  if (theirs) return theirs
  const result = here ?? (await makeStage(request))
  await shared?.push?.(stage, key, result.folder)
  return result
}

// A result that files were removed from later is good to read; where one is to be made, it makes way for a whole one.
async function complete(found: StoredResult | undefined): Promise<StoredResult | undefined> {
  if (!found?.meta.without) return found
  const away = temporaryPath(dirname(found.folder))
  await onDisk(`remove ${found.folder}`, async () => {
    await rename(found.folder, away)
    await rm(away, { recursive: true, force: true })
  })
  return undefined
}

async function makeStage(request: StageRequest): Promise<StoredResult> {
  request.signal.throwIfAborted()
  const parent = join(request.folder, 'stages', storedStage(request.stage))
  const doing = `write stage "${request.stage}" in ${parent}`
  const started = performance.now()
  const workFolder = temporaryFolder(parent)
  const files = stageFiles(workFolder.path, doing)
  const { parts, abandon } = stageParts(request.folder, request.stage, request.key, files.writer.path)
  try {
    await onDisk(doing, () => ensureFolder(workFolder.path))
    await request.make({ ...files.writer, parts })
    request.signal.throwIfAborted()
    const result = await onDisk(doing, async () => {
      const ran = request.ran?.()
      const meta: StageMeta = {
        format: 1,
        stage: storedStage(request.stage),
        key: request.key,
        video: request.video,
        by: request.by,
        settings: request.settings,
        inputs: request.inputs,
        seconds: Math.round(performance.now() - started) / 1000,
        finished: new Date().toISOString(),
        files: await files.finish(),
        notes: files.notes,
        ...(ran?.length && { ran }),
      }
      await saveRecord(join(workFolder.path, 'meta.json'), meta)
      return await publish(request, workFolder.path, meta)
    })
    await onDisk(doing, () => removeStageParts(request.folder, request.stage))
    return result
  } catch (error) {
    await files.abandon()
    await abandon()
    await rm(workFolder.path, { recursive: true, force: true }).catch(() => {}) // the next sweep removes it; report the first error
    throw writesInto(error, workFolder.path) ? asStorageError(error, doing) : error
  } finally {
    workFolder.done()
  }
}

// The finished result, its content checked when this process first uses it; a damaged one is moved to quarantine and counts as
// not there.
export async function findStage(
  videoFolder: string,
  stage: string,
  key: string,
  onDamage: (line: string) => void = () => {},
  shared?: SharedStages,
): Promise<StoredResult | undefined> {
  const folder = stageFolder(videoFolder, stage, key)
  const check = await checkStage(videoFolder, stage, key, 'use')
  if (check.state === 'whole') {
    shared?.found?.()
    return { stage, key, folder, meta: check.meta, reused: true }
  }
  if (check.state === 'newer') throw check.error
  if (check.state === 'damaged') {
    const quarantined = await quarantine(videoFolder, stage, key)
    onDamage(
      `The stored result of stage "${stage}" is damaged: ${check.fault}. It was moved to ${quarantined} and is made again.`,
    )
  }
  return pulled(videoFolder, stage, key, shared)
}

// What another machine has made, once it lies here. It is looked at as any other result is.
async function pulled(
  videoFolder: string,
  stage: string,
  key: string,
  shared: SharedStages | undefined,
): Promise<StoredResult | undefined> {
  return (await shared?.pull(stage, key)) ? findStage(videoFolder, stage, key) : undefined
}

// The first to publish wins: equal key, equal meaning, so a result that is there already is as good as ours.
async function publish(request: StageRequest, work: string, meta: StageMeta): Promise<StoredResult> {
  const { stage, key } = request
  const folder = stageFolder(request.folder, stage, key)
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
  await syncFolder(dirname(folder))
  return { stage, key, folder, meta, reused: false }
}

// A full disk is the disk's doing wherever it is met; a refused permission is reported as ours only inside our own folder.
function writesInto(error: unknown, folder: string): boolean {
  const code = errorCode(error)
  if (!code) return false
  if (['ENOSPC', 'EDQUOT', 'EROFS'].includes(code) || code.startsWith('SQLITE_')) return true
  return error instanceof Error && 'path' in error && String(error.path).startsWith(folder)
}

// Reads the files of a finished stage; its folder comes from findOrMakeStage or findStage, which have checked the sizes.
export function readStage(folder: string): StageReader {
  const path = (name: string) => join(folder, name)

  const parse = <T>(name: string, text: string, shape: z.ZodType<T>, line?: number): T => {
    try {
      return shape.parse(JSON.parse(text))
    } catch (error) {
      const lineText = line === undefined ? '' : ` (line ${line})`
      throw new StorageError(
        `${path(name)}${lineText} of stage "${stageNamed(basename(join(folder, '..')))}" cannot be read.`,
        {
          hint: 'Run "longtake config cache verify": it moves damaged results away, and the next command rebuilds them.',
          cause: error,
        },
      )
    }
  }

  return {
    path,
    has: name => existsSync(path(name)),
    async json(name, shape) {
      return parse(name, await readFile(path(name), 'utf8'), shape)
    },
    async lines(name, shape) {
      const text = await readFile(path(name), 'utf8')
      const rows: z.infer<typeof shape>[] = []
      const breathe = breather()
      // Line by line: a list of all lines would live as long as the rows that are made of it.
      for (let at = 0, end = text.indexOf('\n'); end >= 0; at = end + 1, end = text.indexOf('\n', at)) {
        const pause = breathe()
        if (pause) await pause
        rows.push(parse(name, text.slice(at, end), shape, rows.length + 1))
      }
      return rows
    },
  }
}
