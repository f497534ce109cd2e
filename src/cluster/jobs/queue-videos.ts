import { hostname, userInfo } from 'node:os'
import { type FrozenIndex, freezeIndex, freezeVideo } from '../../app/index/frozen-index.ts'
import { locateVideo } from '../../app/index/locate-video.ts'
import { filePolicy } from '../../app/index/plan-stages.ts'
import type { Config } from '../../config/schema.ts'
import type { Watch } from '../../core/agent.ts'
import type { Host } from '../../core/backend.ts'
import type { Video } from '../../core/video.ts'
import type { Library } from '../../store/library/library.ts'
import { addNeeds, addSource, addVideo } from '../data/catalogue/videos.ts'
import type { Sql } from '../data/sql.ts'
import { fillAfterIndex, libraryNeed } from '../library/library-jobs.ts'
import type { Cluster } from '../open-cluster.ts'
import type { Priority } from './plan-video.ts'
import { requestIndex } from './request-index.ts'
import { rootedPath } from './roots.ts'

export interface Queueing {
  cluster: Cluster
  settings: Config // with the models that were chosen
  host: Host
  library: Library
  watch: Watch
  signal: AbortSignal
}

// A file as the machines know it: where it lies for all of them is written down, and what it is.
export async function queuedVideo(given: string, work: Queueing): Promise<Video> {
  const { cluster, settings, library, watch, signal } = work
  const video = await locateVideo(library, given, { ...filePolicy(settings.index), watch, signal })
  const source = await rootedPath(video.path, settings.cluster.roots)
  await knowSource(cluster.database, video, source)
  return video
}

async function knowSource(sql: Sql, video: Video, source: Parameters<typeof addSource>[2]): Promise<void> {
  const { id, name, bytes, duration } = video
  await addVideo(sql, { id, name, bytes, duration })
  await addSource(sql, id, source)
}

// Asks for the indexes of located videos; returns the id of the request.
export async function queueVideos(
  videos: readonly Video[],
  priority: Priority,
  { cluster: { database, engine }, settings, host }: Queueing,
): Promise<string> {
  const frozen: FrozenIndex = await freezeIndex(settings, host)
  const known = []
  for (const video of videos) known.push(await freezeVideo(video, frozen))
  await addNeeds(database, [libraryNeed])
  await engine.queue(libraryNeed.queue)
  const by = `${userInfo().username}@${hostname()}`
  return requestIndex(database, engine, { frozen, videos: known, priority, by }, fillAfterIndex)
}
