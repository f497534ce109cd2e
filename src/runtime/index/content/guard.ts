import { linkSignals } from '../../../core/basics/signals.ts'
import { InputError } from '../../../core/errors.ts'
import type { Video } from '../../../core/video.ts'
import { lookAt, looksSame } from '../../../media/file/file-look.ts'
import { changedWhile, fullHash } from '../../../media/file/full-hash.ts'
import { localFile, quoteName } from '../../../media/file/local-file.ts'
import { readContentRecord, saveContent } from '../../../store/library/content-record.ts'
import { keepParts } from '../../../store/stage/stage-parts.ts'
import { type ContentWork, compareContent, isOlder, wholeFile } from './compare.ts'

// Refuses to rest an answer on the index of a file that is no longer what was indexed. A file that is gone is not a fault: the
// index can still be read.
export async function refuseChanged(video: Video, folder: string, work: ContentWork): Promise<void> {
  const look = await lookAt(video.path).catch(() => undefined)
  if (!look || (await compareContent(folder, look, wholeFile(video.path, work, video), work)) === 'yes') return
  throw new InputError(`${quoteName(video.path)} has changed since it was indexed as ${video.id}.`, {
    hint: 'Name the file to index it as it is now.',
  })
}

// The same for one of many videos: an index of an earlier release, whose file is older, is not hashed for it.
export async function isUnchanged(video: Video, folder: string, work: ContentWork): Promise<boolean> {
  const look = await lookAt(video.path).catch(() => undefined)
  if (!look) return true
  if (typeof (await readContentRecord(folder)) !== 'object') return isOlder(look, folder)
  return (await compareContent(folder, look, wholeFile(video.path, work, video), work)) === 'yes'
}

export interface ContentGuard {
  check(): Promise<void> // before a result is published: it is of the file as it was when the work began
  finish(): Promise<void> // the whole file is known, too
  stop(): void
}

// Watches over a file while results are made from it, and hashes the whole of it meanwhile where that was never done.
export async function guardContent(video: Video, folder: string, work: ContentWork): Promise<ContentGuard> {
  const { trust, signal } = work
  const { path } = await localFile(video.path)
  const first = await lookAt(path)
  const changed = () => changedWhile(video.path, 'it was indexed')
  const stored = await readContentRecord(folder)
  const record = typeof stored === 'object' ? stored : undefined
  if (!record) await saveContent(folder, undefined, [first])
  else if (!record.files.some(file => looksSame(file, first, trust))) throw changed()
  await keepParts(folder, first, before => looksSame(before, first, trust))

  const stopped = linkSignals(signal)
  const hashing = async () => {
    const { sha256, look } = await fullHash(video.path, stopped.signal)
    if (!looksSame(first, look, trust)) throw changed()
    const now = await readContentRecord(folder)
    const otherFiles = typeof now === 'object' && now.sha256 === sha256 ? now.files : []
    await saveContent(folder, sha256, [look, ...otherFiles])
  }
  const hashed = record?.sha256 === undefined ? hashing() : Promise.resolve()
  hashed.catch(() => {}) // reported by finish
  const check = async () => {
    const look = await lookAt(video.path).catch(() => undefined)
    if (!look || !looksSame(first, look, trust)) throw changed()
  }
  return {
    check,
    async finish() {
      await hashed
      await check()
    },
    stop() {
      stopped.abort()
      stopped.clear()
    },
  }
}

// Hashes the file of an index that is whole where the run that made it was killed before it had done so.
export async function recordWhole(video: Video, folder: string, { trust, signal }: ContentWork): Promise<void> {
  const record = await readContentRecord(folder)
  if (typeof record !== 'object' || record.sha256 !== undefined) return
  const first = await lookAt(video.path).catch(() => undefined)
  if (!first || !record.files.some(file => looksSame(file, first, trust))) return
  const { sha256, look } = await fullHash(video.path, signal)
  if (!looksSame(first, look, trust)) throw changedWhile(video.path, 'it was read')
  await saveContent(folder, sha256, [look])
}
