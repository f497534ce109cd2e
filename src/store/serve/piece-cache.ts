import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { absentAs } from '../../core/errors.ts'
import { createFile } from '../create-file.ts'
import { ensureFolder, writeWhole } from '../durable.ts'
import { onDisk } from '../storage-error.ts'
import { isTemporary, sweepAbandonedBelow } from '../temporary.ts'

// Parts of videos as browsers play them, under names made from the content and how it was made. All of it can be made again: the
// files used longest ago go when there are too many bytes.
interface PieceCache {
  read(name: string): Promise<Buffer | undefined>
  write(name: string, bytes: Uint8Array): Promise<void>
  find(name: string): Promise<string | undefined> // its path
  create(name: string, make: (temporary: string) => Promise<unknown>): Promise<string>
}

// "<key>/12.m4s" below <home>/playback.
export function openPieceCache(home: string, maxBytes: number): PieceCache {
  const root = join(home, 'playback')
  let total = 0
  let opened: Promise<Map<string, number>> | undefined // bytes by path, the one used longest ago first

  const survey = async () => {
    await sweepAbandonedBelow(root)
    const files = (await readdir(root, { recursive: true, withFileTypes: true }).catch(absentAs([]))).filter(
      entry => entry.isFile() && !isTemporary(entry.name),
    )
    const pieces = await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const path = join(parentPath, name)
        const at = await stat(path).catch(absentAs(undefined))
        return at && { path, bytes: at.size, time: at.mtimeMs }
      }),
    )
    const byUse = pieces.filter(one => one !== undefined).sort((a, b) => a.time - b.time)
    total = byUse.reduce((sum, { bytes }) => sum + bytes, 0)
    return new Map(byUse.map(({ path, bytes }) => [path, bytes]))
  }
  const openPieces = () => {
    opened ??= onDisk('read the cache of playback', survey)
    return opened
  }

  const use = async (path: string) => {
    const pieces = await openPieces()
    const bytes = pieces.get(path)
    if (bytes !== undefined) asNewest(pieces, path, bytes)
    const now = new Date()
    await utimes(path, now, now).catch(() => {}) // it may be gone, or on a disk that may only be read
  }
  // The newest always stays: somebody waits for it.
  const add = async (path: string) => {
    const pieces = await openPieces()
    const { size } = await stat(path)
    total += size - (pieces.get(path) ?? 0)
    asNewest(pieces, path, size)
    for (const [other, bytes] of pieces) {
      if (total <= maxBytes || other === path) break
      pieces.delete(other)
      total -= bytes
      await rm(other, { force: true })
    }
  }

  return {
    async read(name) {
      const path = join(root, name)
      const bytes = await onDisk(`read ${path}`, () => readFile(path).catch(absentAs(undefined)))
      if (bytes) await use(path)
      return bytes
    },
    async write(name, bytes) {
      const path = join(root, name)
      await openPieces()
      await onDisk(`write ${path}`, async () => {
        await ensureFolder(dirname(path))
        await writeWhole(path, bytes)
        await add(path)
      })
    },
    async find(name) {
      const path = join(root, name)
      const there = await stat(path).catch(absentAs(undefined))
      if (!there) return undefined
      await use(path)
      return path
    },
    async create(name, make) {
      const path = join(root, name)
      await openPieces()
      await createFile(path, make)
      await onDisk(`keep ${path}`, () => add(path))
      return path
    },
  }
}

// A Map keeps its entries in the order in which they came.
function asNewest(kept: Map<string, number>, path: string, bytes: number): void {
  kept.delete(path)
  kept.set(path, bytes)
}
