import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, open, readdir, readlink, rename, rm, rmdir, stat, symlink } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { absentAs, BackendError, errorCode } from '../../core/errors.ts'
import { checkCommit, checkHubFile, checkRevision } from '../../core/model-names.ts'
import { type Access, ensureFolder, fileModes, syncFolder, writeDurably } from '../durable.ts'
import { onDisk } from '../storage-error.ts'
import { sweepAbandoned } from '../temporary.ts'

// Files of models in the layout of the hub's own cache: contents under "blobs" by their checksum, and a folder of links to
// them for each commit. Other tools of the user find them there too.

interface Expected {
  bytes: number
  checksum?: { kind: 'sha256' | 'git'; value: string } // git: the name that git gives the content
}

// A download on its way. What has come stays on disk until it is whole, through any number of interruptions.
export interface PartialDownload {
  bytes: number // that are here already
  restart(): Promise<void>
  write(chunk: Uint8Array): Promise<void>
  finish(): Promise<{ blob: string; sha256: string }> // checks size and checksum; what is wrong is thrown away
  close(): Promise<void>
}

export async function openPart(
  repository: string,
  path: string,
  expected: Expected,
  access: Access = 'private',
): Promise<PartialDownload> {
  const blobs = join(repository, 'blobs')
  const file = partFile(blobs, path, expected)
  return onDisk(`write ${file}`, async () => {
    await ensureFolder(blobs)
    let hashes = newHashes(expected)
    const handle = await open(file, 'a+', fileModes[access])
    let bytes = 0
    for await (const chunk of createReadStream(file)) {
      for (const hash of Object.values(hashes)) hash.update(chunk)
      bytes += chunk.length
    }
    const discard = async () => {
      await handle.truncate(0)
      hashes = newHashes(expected)
      bytes = 0
    }
    if (bytes > expected.bytes) await discard()
    return {
      get bytes() {
        return bytes
      },
      restart: discard,
      write: chunk =>
        onDisk(`write ${file}`, async () => {
          await handle.write(chunk)
          for (const hash of Object.values(hashes)) hash.update(chunk)
          bytes += chunk.length
        }),
      async finish() {
        const sha256 = hashes.sha256.copy().digest('hex')
        const checksum = expected.checksum?.kind === 'git' ? hashes.git?.copy().digest('hex') : sha256
        const wrong = wrongIn(path, bytes, checksum, expected)
        if (wrong) {
          await discard()
          throw new BackendError(wrong, { retryable: true, hint: 'It was thrown away; run the same command again.' })
        }
        const blob = join(blobs, expected.checksum?.value ?? sha256)
        await onDisk(`write ${blob}`, async () => {
          await handle.sync()
          await rename(file, blob)
          await syncFolder(blobs)
        })
        return { blob, sha256 }
      },
      close: () => handle.close(),
    }
  })
}

function partFile(blobs: string, path: string, { checksum }: Expected): string {
  const name = checksum?.value ?? createHash('sha256').update(path).digest('hex').slice(0, 40)
  return join(blobs, `${name}.incomplete`)
}

// How much of a file has come.
export async function partBytes(repository: string, path: string, expected: Expected): Promise<number> {
  const stats = await stat(partFile(join(repository, 'blobs'), path, expected)).catch(absentAs(undefined))
  return Math.min(stats?.size ?? 0, expected.bytes)
}

function newHashes({ bytes, checksum }: Expected): { sha256: Hash; git?: Hash } {
  const sha256 = createHash('sha256')
  return checksum?.kind === 'git' ? { sha256, git: createHash('sha1').update(`blob ${bytes}\0`) } : { sha256 }
}

function wrongIn(path: string, bytes: number, found: string | undefined, expected: Expected): string | undefined {
  if (bytes !== expected.bytes) return `${path} has ${bytes} bytes instead of ${expected.bytes}.`
  if (expected.checksum && found !== expected.checksum.value)
    return `${path} has the checksum ${found} instead of ${expected.checksum.value}.`
}

// The content, where it is here already; its size is compared, not its checksum.
export async function findBlob(repository: string, expected: Expected): Promise<string | undefined> {
  if (!expected.checksum) return undefined
  const blob = join(repository, 'blobs', expected.checksum.value)
  const stats = await stat(blob).catch(absentAs(undefined))
  return stats?.isFile() && stats.size === expected.bytes ? blob : undefined
}

// Shows a content under its name in the folder of a commit. Where links are not allowed it is copied.
export async function linkModelFile(repository: string, commit: string, path: string, blob: string): Promise<void> {
  const link = join(repository, 'snapshots', checkCommit(commit), checkHubFile(path))
  await onDisk(`write ${link}`, async () => {
    await ensureFolder(dirname(link))
    await rm(link, { force: true })
    try {
      await symlink(relative(dirname(link), blob), link)
    } catch (error) {
      if (!['EPERM', 'ENOSYS', 'ENOTSUP'].includes(errorCode(error) ?? '')) throw error
      await copyFile(blob, link)
    }
  })
}

// Remembers which commit a branch stands for, as the hub's own tools do.
export async function writeRef(repository: string, revision: string, commit: string): Promise<void> {
  if (revision === commit) return
  const ref = join(repository, 'refs', checkRevision(revision))
  await onDisk(`write ${ref}`, async () => {
    await ensureFolder(dirname(ref))
    await sweepAbandoned(dirname(ref))
    await writeDurably(ref, commit)
  })
}

// Takes files out of a commit's folder, and contents that nothing shows any more; returns the bytes that are free now.
export async function removeModelFiles(repository: string, commit: string, paths: readonly string[]): Promise<number> {
  return onDisk(`remove ${repository}`, async () => {
    const snapshot = join(repository, 'snapshots', checkCommit(commit))
    const contents = new Set<string>()
    let freed = 0
    for (const path of paths) {
      const file = join(snapshot, checkHubFile(path))
      const target = await readlink(file).catch(absentAs(undefined, 'EINVAL'))
      if (target) contents.add(basename(target))
      else freed += (await stat(file).catch(absentAs(undefined)))?.size ?? 0
      await rm(file, { force: true })
    }
    const linkedBlobs = await shownBlobs(repository)
    for (const name of contents) {
      if (linkedBlobs.has(name)) continue
      const blob = join(repository, 'blobs', name)
      freed += (await stat(blob).catch(absentAs(undefined)))?.size ?? 0
      await rm(blob, { force: true })
    }
    await removeEmpty(snapshot)
    const snapshots = await readdir(join(repository, 'snapshots')).catch(absentAs([]))
    if (snapshots.length === 0) await rm(repository, { recursive: true, force: true })
    return freed
  })
}

async function shownBlobs(repository: string): Promise<Set<string>> {
  const entries = await readdir(join(repository, 'snapshots'), { recursive: true, withFileTypes: true }).catch(
    absentAs([]),
  )
  const links = entries.filter(entry => entry.isSymbolicLink())
  return new Set(
    await Promise.all(links.map(async entry => basename(await readlink(join(entry.parentPath, entry.name))))),
  )
}

async function removeEmpty(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(absentAs([])))
    if (entry.isDirectory()) await removeEmpty(join(folder, entry.name))
  await rmdir(folder).catch(absentAs(undefined, 'ENOTEMPTY', 'EEXIST'))
}
