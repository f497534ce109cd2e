import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { absentAs } from '../core/errors.ts'
import { createFile } from './create-file.ts'
import { makeFolder, writeWhole } from './durable.ts'
import { onDisk } from './storage-error.ts'
import { isTemporary, sweepAbandonedBelow } from './temporary.ts'

// Parts of videos as browsers play them, under names made from the content and how it was made. All of it can be made again: the
// files used longest ago go when there are too many bytes.
export interface PieceCache {
  read(name: string): Promise<Buffer | undefined>
  write(name: string, bytes: Uint8Array): Promise<void>
  find(name: string): Promise<string | undefined> // its path
  create(name: string, make: (temporary: string) => Promise<unknown>): Promise<string>
}

interface Kept {
  bytes: number
  used: number // as a clock that only counts
}

// "<key>/12.m4s" below <home>/playback.
export function openPieceCache(home: string, maxBytes: number): PieceCache {
  const root = join(home, 'playback')
  let clock = 0
  let opened: Promise<Map<string, Kept>> | undefined

  const survey = async () => {
    await sweepAbandonedBelow(root)
    const files = (await readdir(root, { recursive: true, withFileTypes: true }).catch(absentAs([]))).filter(
      entry => entry.isFile() && !isTemporary(entry.name),
    )
    const found = await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const path = join(parentPath, name)
        const at = await stat(path).catch(absentAs(undefined))
        return at && { path, bytes: at.size, time: at.mtimeMs }
      }),
    )
    const kept = new Map<string, Kept>()
    const byUse = found.filter(one => one !== undefined).sort((a, b) => a.time - b.time)
    for (const { path, bytes } of byUse) kept.set(path, { bytes, used: ++clock })
    return kept
  }
  const known = () => {
    opened ??= onDisk('read the cache of playback', survey)
    return opened
  }

  const use = async (path: string) => {
    const one = (await known()).get(path)
    if (one) one.used = ++clock
    const now = new Date()
    await utimes(path, now, now).catch(() => {}) // it may be gone, or on a disk that may only be read
  }
  // The newest always stays: somebody waits for it.
  const add = async (path: string) => {
    const kept = await known()
    const { size } = await stat(path)
    kept.set(path, { bytes: size, used: ++clock })
    let total = [...kept.values()].reduce((sum, { bytes }) => sum + bytes, 0)
    const oldest = [...kept].sort(([, a], [, b]) => a.used - b.used)
    for (const [other, { bytes }] of oldest) {
      if (total <= maxBytes || other === path) break
      kept.delete(other)
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
      await known()
      await onDisk(`write ${path}`, async () => {
        await makeFolder(dirname(path))
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
      await known()
      await createFile(path, make)
      await onDisk(`keep ${path}`, () => add(path))
      return path
    },
  }
}
