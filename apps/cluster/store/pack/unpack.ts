import { open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode, StorageError } from '../../../../src/core/errors.ts'
import type { StageMeta } from '../../../../src/core/stage.ts'
import { ensureFolder, fileModes, syncFolder } from '../../../../src/store/durable.ts'
import { freeSpace } from '../../../../src/store/free-space.ts'
import { findStage } from '../../../../src/store/stage/stage.ts'
import { stageFolder } from '../../../../src/store/stage/stage-check.ts'
import { onDisk } from '../../../../src/store/storage-error.ts'
import { temporaryFolder } from '../../../../src/store/temporary.ts'
import { type ReadPack, readPack } from './read-pack.ts'

export interface Unpacking {
  folder: string // of the video in the library
  stage: { video: string; stage: string; key: string }
  expected?: { bytes: number; sha256: string }
  name?: string
  signal?: AbortSignal
}

// Puts the result that a pack holds into the library, whole or not at all: from there on it is a stage like any other.
export async function unpackStage(
  source: AsyncIterable<Uint8Array>,
  { folder, stage, expected, name, signal }: Unpacking,
): Promise<ReadPack> {
  const target = stageFolder(folder, stage.stage, stage.key)
  const parent = dirname(target)
  const doing = `write the pulled stage "${stage.stage}" in ${parent}`
  const scratch = temporaryFolder(parent)
  try {
    await onDisk(doing, () => ensureFolder(scratch.path))
    const pack = await readPack(source, {
      stage,
      expected,
      name,
      signal,
      began: meta => refuseFull(meta, parent),
      file: name => onDisk(doing, () => fileSink(join(scratch.path, name), doing)),
    })
    await onDisk(doing, async () => {
      await writeFile(join(scratch.path, 'meta.json'), pack.metaText, {
        flag: 'wx',
        mode: fileModes.private,
        flush: true,
      })
      await syncFolder(scratch.path)
      await publish(scratch.path, target, { folder, ...stage })
    })
    return pack
  } catch (error) {
    await rm(scratch.path, { recursive: true, force: true }).catch(() => {}) // the next sweep removes it; report the first error
    throw error
  } finally {
    scratch.done()
  }
}

// Another process may have pulled or made it meanwhile: equal key, equal meaning.
async function publish(
  work: string,
  target: string,
  { folder, stage, key }: Record<'folder' | 'stage' | 'key', string>,
) {
  try {
    await rename(work, target)
    await syncFolder(dirname(target))
  } catch (error) {
    const theirs =
      ['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(errorCode(error) ?? '') && (await findStage(folder, stage, key))
    if (!theirs) throw error
    await rm(work, { recursive: true, force: true })
  }
}

async function fileSink(path: string, doing: string) {
  const handle = await open(path, 'wx', fileModes.private)
  return {
    write: (piece: Uint8Array) => onDisk(doing, () => handle.writeFile(piece)),
    close: () =>
      onDisk(doing, async () => {
        try {
          await handle.sync()
        } finally {
          await handle.close()
        }
      }),
  }
}

// Before the first byte, so that a disk that others need is not filled to its brim first.
async function refuseFull(meta: StageMeta, folder: string): Promise<void> {
  const needed = Object.values(meta.files).reduce((sum, { bytes }) => sum + bytes, 0)
  const { bytes } = await freeSpace(folder)
  if (needed <= bytes) return
  const megabytes = (count: number) => `${Math.ceil(count / 1e6)} MB`
  throw new StorageError(
    `Stage "${meta.stage}" of ${meta.video} needs ${megabytes(needed)} in ${folder}, and ${megabytes(bytes)} are free.`,
    { hint: 'Free some space, or set cluster.cache to less, or LONGTAKE_HOME to a folder on another disk.' },
  )
}
