import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { absentAs } from '../../core/errors.ts'
import type { StageMeta } from '../../core/stage.ts'
import type { Video } from '../../core/video.ts'
import { stageNamed } from '../../core/words/stage-names.ts'
import { tryLock } from '../lock.ts'
import { exists, listNames } from '../read-file.ts'
import { checkStage, quarantine } from '../stage/stage-check.ts'
import { onDisk } from '../storage-error.ts'
import { isTemporary, temporaryPath } from '../temporary.ts'
import { isUsed } from './in-use.ts'
import { type Library, lockFiles } from './library.ts'

interface StageUsage {
  stage: string
  key: string
  bytes: number
  meta?: StageMeta // missing where the result is damaged or from a newer longtake
}

export interface VideoUsage {
  id: string
  folder: string
  video?: Video // missing where its record is damaged
  lastUsed: Date
  stages: StageUsage[]
  quarantine: number // bytes of damaged results that were moved away
  bytes: number // of everything in the folder
}

// What the library holds, video by video, the one used longest ago first.
export async function usage(library: Library): Promise<VideoUsage[]> {
  const root = join(library.home, 'library')
  const videos = await Promise.all((await listNames(root)).map(id => videoUsage(library, id)))
  return videos
    .filter(video => video !== undefined)
    .sort((a, b) => a.lastUsed.getTime() - b.lastUsed.getTime() || (a.id < b.id ? -1 : 1))
}

interface VerifyReport {
  stages: number
  bytes: number
  damaged: { video: string; stage: string; key: string; reason: string; movedTo: string }[]
  newer: string[] // results of a newer longtake, one sentence each; they were not looked into
  replaced: { video: string; path: string; reason: string }[] // files that are no longer the video that was indexed
}

interface VerifyOptions {
  contentId?(path: string): Promise<string> // when given, every video file still there is checked against its id
  watch?(done: number, total: number): void // bytes
  signal?: AbortSignal
}

// Reads every byte of every result. A damaged one is moved to quarantine, and the next command that needs it makes it anew.
export async function verifyCache(
  library: Library,
  { contentId, watch, signal }: VerifyOptions = {},
): Promise<VerifyReport> {
  const report: VerifyReport = { stages: 0, bytes: 0, damaged: [], newer: [], replaced: [] }
  const videos = await usage(library)
  const total = videos.flatMap(video => video.stages).reduce((sum, { bytes }) => sum + bytes, 0)
  for (const { id, folder, video, stages } of videos) {
    for (const { stage, key, bytes } of stages) {
      signal?.throwIfAborted()
      const check = await checkStage(folder, stage, key, 'hashes')
      report.stages++
      report.bytes += bytes
      watch?.(report.bytes, total)
      if (check.state === 'newer') report.newer.push(check.error.message)
      if (check.state !== 'damaged') continue
      const movedTo = await quarantine(folder, stage, key)
      report.damaged.push({ video: id, stage, key, reason: check.fault, movedTo })
    }
    if (!contentId || !video || !(await exists(video.path))) continue
    signal?.throwIfAborted()
    const now = await contentId(video.path)
    if (now !== id) report.replaced.push({ video: id, path: video.path, reason: `its content is now ${now}` })
  }
  return report
}

interface PruneOptions {
  olderThanDays?: number // since the last use
  maxBytes?: number // for the whole library
  dryRun?: boolean
}

interface PruneReport {
  freed: { video: string; name?: string; what: 'video' | 'quarantine'; bytes: number }[]
  inUse: string[] // ids that another process works on: they stay
  bytesFreed: number // or that would be, in a dry run
  bytesLeft: number
}

// Frees the results of videos that were not used for long, or longest ago until the library is small enough, and of
// quarantine first. Nothing of the user's own is touched: all of it can be made again from the video file.
export async function pruneCache(library: Library, options: PruneOptions): Promise<PruneReport> {
  const videos = await usage(library)
  const report: PruneReport = { freed: [], inUse: [], bytesFreed: 0, bytesLeft: total(videos) }
  const cutoff = Date.now() - (options.olderThanDays ?? Number.POSITIVE_INFINITY) * 86_400_000
  const old = ({ lastUsed }: VideoUsage) => lastUsed.getTime() < cutoff
  const tooMuch = () => report.bytesLeft > (options.maxBytes ?? Number.POSITIVE_INFINITY)

  const free = async (video: VideoUsage, what: 'video' | 'quarantine') => {
    const bytes = what === 'quarantine' ? video.quarantine : video.bytes
    if (bytes === 0 || report.inUse.includes(video.id)) return
    const lock = await tryLock(video.folder)
    if (!lock) return void report.inUse.push(video.id)
    try {
      if (what === 'video' && (await isUsed(video.folder))) return void report.inUse.push(video.id)
      if (!options.dryRun) await remove(video.folder, what)
    } finally {
      lock.release()
    }
    video.bytes -= bytes
    if (what === 'quarantine') video.quarantine = 0
    report.freed.push({ video: video.id, name: video.video?.name, what, bytes })
    report.bytesFreed += bytes
    report.bytesLeft -= bytes
  }

  for (const video of videos) if (old(video)) await free(video, 'video')
  for (const video of videos) if (tooMuch()) await free(video, 'quarantine')
  for (const video of videos) if (tooMuch()) await free(video, 'video')
  return report
}

// Forgets one video with all its results, how many bytes that freed; undefined if another process works on it.
export async function forgetVideo(library: Library, id: string): Promise<number | undefined> {
  const folder = library.videoFolder(id)
  const lock = await tryLock(folder)
  if (!lock) return undefined
  try {
    if (await isUsed(folder)) return undefined
    const bytes = (await videoUsage(library, id))?.bytes ?? 0
    await remove(folder, 'video')
    return bytes
  } finally {
    lock.release()
  }
}

// The record of the video goes last, so that a kill in between leaves a video that is known and to be indexed again.
// Each part is renamed away before its files go: a half-removed result never bears the name of a whole one.
async function remove(folder: string, what: 'video' | 'quarantine'): Promise<void> {
  const names =
    what === 'quarantine' ? ['quarantine'] : (await listNames(folder)).filter(name => !lockFiles.includes(name))
  names.sort((a, b) => Number(a === 'video.json') - Number(b === 'video.json'))
  await onDisk(`remove results in ${folder}`, async () => {
    for (const name of names) {
      const away = isTemporary(name) ? join(folder, name) : temporaryPath(folder)
      if (!isTemporary(name)) await rename(join(folder, name), away)
      await rm(away, { recursive: true, force: true })
    }
  })
}

async function videoUsage(library: Library, id: string): Promise<VideoUsage | undefined> {
  const folder = join(library.home, 'library', id)
  const names = (await listNames(folder)).filter(name => !lockFiles.includes(name))
  if (names.length === 0) return undefined
  const stages = await stageUsage(folder)
  const used = (await stat(join(folder, 'video.json')).catch(absentAs(undefined))) ?? (await stat(folder))
  return {
    id,
    folder,
    video: await library.find(id),
    lastUsed: used.mtime,
    stages,
    quarantine: await measureBytes(join(folder, 'quarantine')),
    bytes: await bytesOfAll(folder, names),
  }
}

async function stageUsage(folder: string): Promise<StageUsage[]> {
  const usages: StageUsage[] = []
  for (const stage of (await listNames(join(folder, 'stages'))).sort()) {
    for (const key of (await listNames(join(folder, 'stages', stage))).sort()) {
      if (isTemporary(key)) continue
      const check = await checkStage(folder, stage, key, 'sizes')
      const meta = check.state === 'whole' ? check.meta : undefined
      usages.push({
        stage: stageNamed(stage),
        key,
        meta,
        bytes: await measureBytes(join(folder, 'stages', stage, key)),
      })
    }
  }
  return usages
}

async function measureBytes(path: string): Promise<number> {
  const stats = await stat(path).catch(absentAs(undefined))
  if (!stats) return 0
  if (!stats.isDirectory()) return stats.size
  return bytesOfAll(path, await listNames(path))
}

async function bytesOfAll(folder: string, names: readonly string[]): Promise<number> {
  const sizes = await Promise.all(names.map(name => measureBytes(join(folder, name))))
  return sizes.reduce((sum, size) => sum + size, 0)
}

function total(videos: VideoUsage[]): number {
  return videos.reduce((sum, { bytes }) => sum + bytes, 0)
}
