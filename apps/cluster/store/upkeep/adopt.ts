import { errorText, LongtakeError, StorageError } from '../../../../src/core/errors.ts'
import { isVideoId } from '../../../../src/core/video.ts'
import { computeContentId } from '../../../../src/media/file/content-id.ts'
import { addArtifact, findArtifact } from '../../data/catalogue/artifacts.ts'
import { addSource, insertVideo, selectVideo } from '../../data/catalogue/videos.ts'
import type { Database } from '../../data/sql.ts'
import type { ArtifactStore, StoredObject } from '../artifact-store.ts'
import { refuseUnmarked } from '../check-store.ts'
import { partReader } from '../object-bytes.ts'
import { resultNamed, resultsPrefix, sourcesPrefix } from '../object-names.ts'
import { DamagedPack, readPack } from '../pack/read-pack.ts'
import { listObjects } from './list-objects.ts'

interface AdoptReport {
  known: number // results and sources that rows name already
  adopted: number // results
  sources: number
  spare: number // further packs of results that have a row
  bytes: number // that were read
  damaged: { object: string; why: string }[] // they stay where they are
  foreign: string[] // objects with other names than a cluster gives
}

interface AdoptWork {
  database: Database
  store: ArtifactStore
  signal: AbortSignal
  watch?(objects: number, bytes: number): void
}

// Makes the rows again from what lies in the store, after the database was lost. Every pack is read to its last byte first.
export async function adoptObjects(work: AdoptWork): Promise<AdoptReport> {
  const { store, signal } = work
  await refuseUnmarked(store)
  const report: AdoptReport = { known: 0, adopted: 0, sources: 0, spare: 0, bytes: 0, damaged: [], foreign: [] }
  let seen = 0
  for await (const { object, prefix, isKnown } of listObjects(work, [resultsPrefix, sourcesPrefix])) {
    signal.throwIfAborted()
    work.watch?.(++seen, report.bytes)
    if (isKnown) report.known++
    else if (prefix === resultsPrefix) await adoptResult(work, object, report)
    else await adoptSource(work, object, report)
  }
  return report
}

async function adoptResult({ database, store, signal }: AdoptWork, { name, bytes }: StoredObject, report: AdoptReport) {
  const resultKey = resultNamed(name)
  if (!resultKey) return void report.foreign.push(name)
  if (await findArtifact(database, resultKey)) return void report.spare++
  const body = await store.get(name)
  try {
    const { meta, video, sha256 } = await readPack(body, { name, stage: resultKey, signal })
    report.bytes += bytes
    await database.transaction(async sql => {
      if (video) await insertVideo(sql, { ...video, probe: video })
      await addArtifact(sql, { ...resultKey, object: name, bytes, sha256, meta, device: meta.ran?.[0]?.device })
    })
    report.adopted++
  } catch (error) {
    if (!(error instanceof DamagedPack || error instanceof StorageError)) throw error
    report.damaged.push({ object: name, why: error.message })
  } finally {
    body.destroy()
  }
}

// An uploaded file is known by its samples, as everywhere.
async function adoptSource({ database, store }: AdoptWork, { name, bytes }: StoredObject, report: AdoptReport) {
  const video = name.slice(sourcesPrefix.length)
  if (!isVideoId(video)) return void report.foreign.push(name)
  const id = await computeContentId(bytes, partReader(store, name, bytes)).catch(error => {
    if (error instanceof LongtakeError) throw error
    return errorText(error)
  })
  if (video.split('-')[0] !== id) return void report.damaged.push({ object: name, why: `it is ${id} by its content` })
  if (!(await selectVideo(database, video))) await insertVideo(database, { id: video, name: video, bytes })
  await addSource(database, video, { object: name })
  report.sources++
}
