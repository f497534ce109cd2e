import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SharedStages, StageMeta } from '../../../src/core/stage.ts'
import type { Video } from '../../../src/core/video.ts'
import { stageNamed, storedStage } from '../../../src/core/words/stage-names.ts'
import { ensureFolder } from '../../../src/store/durable.ts'
import { onDisk } from '../../../src/store/storage-error.ts'
import { temporaryFolder } from '../../../src/store/temporary.ts'
import { type Artifact, findArtifact, removeArtifact } from '../data/catalogue/artifacts.ts'
import type { Sql } from '../data/sql.ts'
import type { Counted } from '../observe/counters.ts'
import type { ArtifactStore } from './artifact-store.ts'
import { refuseUnmarked } from './check-store.ts'
import { MissingObject, resultName } from './object-names.ts'
import { packStage } from './pack/pack.ts'
import { DamagedPack } from './pack/read-pack.ts'
import { unpackStage } from './pack/unpack.ts'
import type { PulledCache } from './pulled-cache.ts'

interface SharedWork {
  sql: Sql
  store: ArtifactStore
  cache: PulledCache
  video: Video
  signal: AbortSignal
  attempt?: string // in the names of what is pushed; without it nothing is
  say?(line: string): void
  count?(counted: Counted): void
  patience?: number // seconds that the file of a fresh row is waited for: another machine's folder may show it late
}

// The one object that a stage has become in the store. It counts once its row is there, which is who asked for the stage's to write.
export interface PushedStage {
  object: string
  bytes: number
  sha256: string
  meta: StageMeta
}

export interface SharedVideo extends SharedStages {
  pushed(): PushedStage | undefined // the last
  done(): Promise<void> // what was pulled of the video may be removed again
}

// The results of one video on other machines: pulled where one is missing here, pushed when one was made.
export async function sharedStages(work: SharedWork): Promise<SharedVideo> {
  const { cache, video, attempt } = work
  const release = await cache.use(video.id)
  let pushed: PushedStage | undefined
  const push = async (name: string, key: string, folder: string) => {
    const stage = storedStage(name)
    await cache.keep(video.id, cachePlace(stage, key))
    if (!(await findArtifact(work.sql, { video: video.id, stage, key })))
      pushed = await pushStage(work, stage, key, folder)
  }
  return {
    pull: (stage, key) => pullStage(work, storedStage(stage), key),
    found: () => work.count?.({ what: 'cache', outcome: 'hit' }),
    ...(attempt !== undefined && { push }),
    pushed: () => pushed,
    done: release,
  }
}

function cachePlace(stage: string, key: string): string {
  return `stages/${stage}/${key}`
}

// False where nobody has it, or where it is lost: then its row is gone too, and it is made again.
async function pullStage(work: SharedWork, stage: string, key: string): Promise<boolean> {
  const { sql, store, cache, video, say = () => {} } = work
  const row = await findArtifact(sql, { video: video.id, stage, key })
  if (!row) return false
  try {
    const bytes = await fetchStage(work, row)
    await cache.add(video.id, cachePlace(stage, key), bytes)
    work.count?.({ what: 'cache', outcome: 'miss' })
    return true
  } catch (error) {
    if (!(error instanceof DamagedPack || error instanceof MissingObject)) throw error
    await refuseUnmarked(store)
    const why = error instanceof DamagedPack ? `is damaged: ${error.message}` : 'is gone'
    const now = await findArtifact(sql, row)
    if (now && now.attempt !== row.attempt) return pullStage(work, stage, key) // written anew meanwhile
    say(`The result of stage "${stageNamed(stage)}" in ${store.address} (${row.object}) ${why}. It is made again.`)
    await removeArtifact(sql, row)
    return false
  }
}

// A pack that comes damaged is asked for once more: the fault may lie on the way.
async function fetchStage(work: SharedWork, row: Artifact): Promise<number> {
  const { cache, video, signal } = work
  const { stage, key, bytes, sha256, object: name } = row
  const folder = cache.library.videoFolder(video.id)
  await cache.makeRoom(bytes)
  for (let again = true; ; again = false) {
    signal.throwIfAborted()
    const source = await whenVisible(work, row)
    try {
      const stagePlace = { video: video.id, stage, key }
      const pack = await unpackStage(source, { folder, stage: stagePlace, expected: { bytes, sha256 }, name, signal })
      work.count?.({ what: 'bytes', direction: 'in', bytes: pack.bytes })
      return Object.values(pack.meta.files).reduce((sum, file) => sum + file.bytes, 0)
    } catch (error) {
      if (!again || !(error instanceof DamagedPack)) throw error
    } finally {
      source.destroy()
    }
  }
}

const fresh = 600 // seconds: no folder hides a file for longer

async function whenVisible(
  { sql, store, signal, patience = 60 }: SharedWork,
  { video, stage, key, object }: Artifact,
): Promise<Readable> {
  const began = performance.now()
  for (let pause = 100; ; pause = Math.min(2000, pause * 1.5)) {
    try {
      return await store.get(object)
    } catch (error) {
      if (!(error instanceof MissingObject) || performance.now() - began > patience * 1000) throw error
      const { rows } = await sql.query<{ age: number }>(
        `select extract(epoch from now() - at)::float8 as age from longtake.artifact
         where video = $1 and stage = $2 and key = $3`,
        [video, stage, key],
      )
      if ((rows[0]?.age ?? fresh) >= fresh) throw error
      await sleep(pause, undefined, { signal })
    }
  }
}

async function pushStage(work: SharedWork, stage: string, key: string, folder: string): Promise<PushedStage> {
  const { store, video, attempt = '', signal } = work
  await refuseUnmarked(store)
  const temporary = temporaryFolder(join(folder, '..'))
  try {
    await onDisk(`pack stage "${stage}" in ${temporary.path}`, () => ensureFolder(temporary.path))
    const pack = await packStage(folder, video, { work: temporary.path, signal })
    const object = resultName({ video: video.id, stage, key, attempt })
    await store.put(object, pack.body, pack.bytes)
    work.count?.({ what: 'bytes', direction: 'out', bytes: pack.bytes })
    return { object, bytes: pack.bytes, sha256: pack.sha256(), meta: pack.meta }
  } finally {
    await rm(temporary.path, { recursive: true, force: true }).catch(() => {}) // the next sweep removes it
    temporary.done()
  }
}
