import { createReadStream, createWriteStream } from 'node:fs'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { InputError, UsageError } from '../../../src/core/errors.ts'
import type { Video } from '../../../src/core/video.ts'
import { computeContentId, contentId } from '../../../src/media/file/content-id.ts'
import { lookAt, looksSame } from '../../../src/media/file/file-look.ts'
import { changedWhile, fullHash } from '../../../src/media/file/full-hash.ts'
import { createFile } from '../../../src/store/create-file.ts'
import { fileModes } from '../../../src/store/durable.ts'
import { withLock } from '../../../src/store/lock.ts'
import { exists } from '../../../src/store/read-file.ts'
import { onDisk } from '../../../src/store/storage-error.ts'
import { addSource, insertVideo, readVideoSources } from '../data/catalogue/videos.ts'
import type { Sql } from '../data/sql.ts'
import type { Counted } from '../observe/counters.ts'
import type { ArtifactStore } from './artifact-store.ts'
import { refuseUnmarked } from './check-store.ts'
import { exactBytes, partReader } from './object-bytes.ts'
import { MissingObject, sourceName } from './object-names.ts'
import { ofStore, storeFault } from './of-store.ts'
import { openStore } from './open-store.ts'
import type { PulledCache } from './pulled-cache.ts'
import { isBucketAddress } from './s3/address.ts'

export interface SourceWork {
  sql: Sql
  store: ArtifactStore
  cache: PulledCache
  roots: Readonly<Record<string, string>>
  environment: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  count?(counted: Counted): void
}

// Copies the file of a video into the store, once, and writes down that it is there.
export async function uploadSource(work: SourceWork, video: Video): Promise<void> {
  const { sql, store, signal } = work
  await refuseUnmarked(store)
  const object = sourceName(video.id)
  if ((await store.head(object))?.bytes !== video.bytes) {
    const look = await lookAt(video.path)
    await refuseReplaced(video, video.path, video.name, signal)
    await store.put(object, () => createReadStream(video.path, { highWaterMark: 1 << 20, signal }), video.bytes)
    if (!looksSame(look, await lookAt(video.path), 'mtime')) {
      await store.remove(object)
      throw changedWhile(video.path, 'it was sent to the store')
    }
    work.count?.({ what: 'bytes', direction: 'out', bytes: video.bytes })
  }
  await insertVideo(sql, video)
  await addSource(sql, video.id, { object })
}

// The file of a video out of the store, or out of a root that is a bucket; undefined if no row says that it lies there.
export async function fetchSource(work: SourceWork, video: Video): Promise<string | undefined> {
  const cachedFile = join(sourceFolder(work, video.id), safeName(video.name))
  for (const source of await readVideoSources(work.sql, video.id)) {
    const [store, object] = 'object' in source ? [work.store, source.object] : await storeFault(inBucket(work, source))
    if (!store) continue
    if (await exists(cachedFile)) return cachedFile
    return fetchFrom(work, 'object' in source ? store : ofStore(store), object, video)
  }
  return undefined
}

// An s3:// address as the others know it: below a root that is a bucket. Nothing else in the world's buckets is opened.
export function bucketPlace(address: string, roots: SourceWork['roots']): { root: string; path: string } {
  for (const [root, at] of Object.entries(roots)) {
    const folder = `${at.split('?')[0]?.replace(/\/+$/, '')}/`
    if (isBucketAddress(at) && address.startsWith(folder)) return { root, path: address.slice(folder.length) }
  }
  throw new UsageError(`${address} lies below none of the roots that the machines share.`, {
    hint: `Name the bucket in the settings of each machine, as --set 'cluster.roots={"films":"s3://films/2026"}'.`,
  })
}

// The file at such an address, here; who wants to know what is in it needs all of it.
export async function fetchAddress(work: SourceWork, address: string): Promise<string> {
  const bucketAddress = bucketPlace(address, work.roots)
  const [store, object] = await inBucket(work, bucketAddress)
  const head = await store?.head(object)
  if (!store || !head) throw new InputError(`${address} does not exist.`, { hint: 'Check the name of the object.' })
  const { bytes } = head
  const id = await computeContentId(bytes, partReader(store, object, bytes))
  return fetchFrom(work, store, object, { id, name: basename(object), bytes })
}

type Wanted = Pick<Video, 'id' | 'name' | 'bytes'>

// Whole, into the cache, and looked at before it has its name: what is not the video is never taken for it.
async function fetchFrom(work: SourceWork, store: ArtifactStore, object: string, video: Wanted): Promise<string> {
  const { cache, signal } = work
  const folder = sourceFolder(work, video.id)
  const path = join(folder, safeName(video.name))
  const leave = await cache.use(video.id)
  const fetch = async () => {
    if (await exists(path)) return path
    await cache.makeRoom(video.bytes)
    const from = `${store.address}/${object}`
    await createFile(path, async temporary => {
      const body = await store.get(object).catch(async error => {
        if (!(error instanceof MissingObject)) throw error
        if (store === work.store) await refuseUnmarked(store) // a share that is not mounted has lost nothing
        throw new InputError(`${from}, the file of ${video.id}, is gone.`, { hint: again })
      })
      const file = createWriteStream(temporary, { flags: 'wx', mode: fileModes.private })
      const checked = exactBytes(video.bytes, from)
      await onDisk(`fetch ${from} to ${path}`, () => pipeline(body, checked, file, { signal })).catch(error => {
        throw error instanceof Error && error.message.startsWith(`${from} has`) ? replaced(video, from, error) : error
      })
      await refuseReplaced(video, temporary, from, signal)
    })
    await cache.add(video.id, 'source', video.bytes)
    work.count?.({ what: 'bytes', direction: 'in', bytes: video.bytes })
    return path
  }
  try {
    return await withLock(join(cache.library.videoFolder(video.id), 'locks', 'source'), fetch, { signal })
  } finally {
    await leave()
  }
}

// By the samples that an id is made of; by all of it where another video has the same samples.
export async function refuseReplaced(video: Wanted, path: string, shown: string, signal: AbortSignal): Promise<void> {
  const { bytes } = await lookAt(path)
  const [, whole] = video.id.split('-')
  const same = video.id.split('-')[0] === (await contentId(path, bytes))
  if (!same || (whole && !(await fullHash(path, signal)).sha256.startsWith(whole))) throw replaced(video, shown)
}

const again = 'Index the file as it is now: run the same command again with it.'

function replaced({ id }: Wanted, shown: string, cause?: unknown): InputError {
  return new InputError(`${shown} is no longer the video ${id}: it was replaced since it was queued.`, {
    hint: again,
    cause,
  })
}

async function inBucket(
  { roots, environment }: SourceWork,
  { root, path }: { root: string; path: string },
): Promise<[ArtifactStore, string] | [undefined, '']> {
  const at = roots[root]
  return at !== undefined && isBucketAddress(at) ? [await openStore(at, environment), path] : [undefined, '']
}

function sourceFolder({ cache }: SourceWork, video: string): string {
  return join(cache.library.videoFolder(video), 'source')
}

// A name of others becomes a name in a folder of ours; its ending says what it is.
function safeName(name: string): string {
  return (
    basename(name)
      .replace(/[^\p{L}\p{N}._ -]/gu, '_')
      .replace(/^\.+/, '_')
      .slice(-120) || 'video'
  )
}
