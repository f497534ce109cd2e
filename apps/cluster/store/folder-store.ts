import { createReadStream } from 'node:fs'
import { open, opendir, rename, rm, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { absentAs, errorCode, LongtakeError, StorageError } from '../../../src/core/errors.ts'
import { ensureFolder, fileModes, syncFile, syncFolder } from '../../../src/store/durable.ts'
import { asStorageError } from '../../../src/store/storage-error.ts'
import { isTemporary, temporaryPath } from '../../../src/store/temporary.ts'
import type { ArtifactStore, StoredObject } from './artifact-store.ts'
import { exactBytes } from './object-bytes.ts'
import { MissingObject, splitObjectName } from './object-names.ts'

// A folder that every machine sees, as a network share. Others read what is written here, so the umask decides who may.
export function openFolderStore(folder: string): ArtifactStore {
  const address = folder
  const pathOf = (name: string) => join(folder, ...splitObjectName(name))
  const inStore = <T>(doing: string, work: () => Promise<T>) => work().catch(error => refuse(error, doing, folder))

  return {
    address,
    async put(name, body, bytes) {
      const path = pathOf(name)
      const parent = join(path, '..')
      const temporary = temporaryPath(parent)
      await inStore(`write ${name} to the store ${address}`, async () => {
        await ensureFolder(parent, 'umask')
        try {
          // Opened first: a body that fails at once would else be over before its file is there to be removed.
          const file = await open(temporary, 'wx', fileModes.umask)
          await pipeline(body(), exactBytes(bytes, name), file.createWriteStream())
          await syncFile(temporary)
          await rename(temporary, path)
          await syncFolder(parent).catch(absentAs(undefined, 'EINVAL', 'ENOTSUP', 'EPERM', 'EACCES')) // some shares cannot
        } catch (error) {
          await rm(temporary, { force: true }).catch(() => {}) // the sweep removes it; the first error is the one to report
          throw error
        }
      })
    },
    get: (name, range) =>
      inStore(`read ${name} from the store ${address}`, async () => {
        if (range && range.end <= range.start) throw new RangeError(`The range ${range.start}-${range.end} is empty.`)
        const file = await open(pathOf(name), 'r').catch(error => {
          throw isGone(error) ? new MissingObject(name, address, error) : error
        })
        const span = range && { start: range.start, end: range.end - 1 }
        return createReadStream('', { fd: file, highWaterMark: 1 << 20, ...span }) as Readable
      }),
    head: name =>
      inStore(`look at ${name} in the store ${address}`, async () => {
        const status = await stat(pathOf(name)).catch(absentAs(undefined, 'ESTALE'))
        return status?.isFile() ? { bytes: status.size, modified: status.mtime } : undefined
      }),
    list: prefix => listed(folder, prefix, name => !isTemporary(name)),
    async remove(name) {
      await inStore(`remove ${name} from the store ${address}`, () => rm(pathOf(name), { force: true }))
    },
    async *unfinished() {
      for await (const { name, ...found } of listed(folder, '', isTemporary))
        yield { name, ...found, remove: () => rm(join(folder, name), { force: true }) }
    },
  }
}

// Every file below the folder whose own name passes, sorted inside its folder. Foreign names that could not be read are left out.
async function* listed(folder: string, prefix: string, passes: (name: string) => boolean): AsyncIterable<StoredObject> {
  const walk = async function* (at: string): AsyncIterable<StoredObject> {
    const entries = []
    const opened = await opendir(at).catch(absentAs(undefined, 'ESTALE'))
    if (opened) for await (const entry of opened) entries.push(entry)
    entries.sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of entries) {
      const path = join(at, entry.name)
      const name = relative(folder, path).split(sep).join('/')
      if (entry.isDirectory() && (name.startsWith(prefix) || prefix.startsWith(`${name}/`))) yield* walk(path)
      if (!entry.isFile() || !name.startsWith(prefix) || !passes(entry.name)) continue
      const fileStatus = await stat(path).catch(absentAs(undefined, 'ESTALE'))
      if (fileStatus) yield { name, bytes: fileStatus.size, modified: fileStatus.mtime }
    }
  }
  try {
    yield* walk(folder)
  } catch (error) {
    refuse(error, `list the store ${folder}`, folder)
  }
}

function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ESTALE'].includes(errorCode(error) ?? '')
}

// The fix is at the store, not at LONGTAKE_HOME.
function refuse(error: unknown, doing: string, folder: string): never {
  const storageError = asStorageError(error, doing)
  if (!(storageError instanceof StorageError) || error instanceof LongtakeError) throw storageError
  const full = ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '')
  const hint = full
    ? `Free some space below ${folder}: "longtake cluster cleanup --dry-run" says what can go.`
    : `Check that ${folder} is mounted and may be written by this user (cluster.store, LONGTAKE_STORE).`
  throw new StorageError(storageError.message, { hint, cause: error })
}
