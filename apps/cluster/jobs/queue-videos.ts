import { randomBytes } from 'node:crypto'
import { hostname, userInfo } from 'node:os'
import type { Config } from '../../../src/config/schema.ts'
import type { Watch } from '../../../src/core/agent.ts'
import type { Host } from '../../../src/core/backend.ts'
import { BackendError, InputError } from '../../../src/core/errors.ts'
import type { Video } from '../../../src/core/video.ts'
import {
  type FrozenIndex,
  type FrozenVideo,
  freezeIndex,
  freezeVideo,
  modelsHere,
  planFrozen,
} from '../../../src/runtime/index/frozen-index.ts'
import { locateVideo } from '../../../src/runtime/index/locate-video.ts'
import { makeStage } from '../../../src/runtime/index/one-stage.ts'
import { filePolicy } from '../../../src/runtime/index/plan-stages.ts'
import type { Library } from '../../../src/store/library/library.ts'
import { addArtifact } from '../data/catalogue/artifacts.ts'
import { addSource, insertVideo } from '../data/catalogue/videos.ts'
import type { Cluster } from '../open-cluster.ts'
import { openPulledCache } from '../store/pulled-cache.ts'
import { isBucketAddress } from '../store/s3/address.ts'
import { sharedStages } from '../store/shared-stages.ts'
import { bucketPlace, fetchAddress, type SourceWork, uploadSource } from '../store/sources.ts'
import type { Priority } from './plan-video.ts'
import { requestIndex } from './request-index.ts'
import { rootedPath } from './roots.ts'

// What a command that asks for indexes works with.
export interface Queueing {
  cluster: Cluster
  settings: Config // with the models that were chosen
  host: Host
  library: Library
  watch: Watch
  signal: AbortSignal
  upload?: boolean // into the store, where the machines share no folder
}

const stage = 'subtitles'

// A file that is sent to the store travels without the subtitle files beside it: no other machine could make their stage, so it is made
// here.
async function shareSubtitles(given: FrozenVideo, frozen: FrozenIndex, work: Queueing): Promise<void> {
  const { video } = given
  const { cluster, settings, host, library, watch, signal } = work
  const { database: sql, store } = cluster
  const models = await modelsHere(frozen, settings.models, host)
  const attempt = randomBytes(4).toString('hex')
  try {
    const [plan] = await planFrozen(given, frozen, () => undefined, models)
    const planned = plan?.find(one => one.stage === stage)
    if (!plan || !planned || planned.skip !== undefined) return
    await library.save(video)
    const cache = openPulledCache(library, settings.cluster.cache)
    const shared = await sharedStages({ sql, store, cache, video, attempt, signal })
    try {
      const folder = library.videoFolder(video.id)
      const index = { ...settings.index, ...frozen.index }
      await makeStage(stage, { video, folder, models, settings: index, shared, watch, signal, plan, outcomes: {} })
      const pushed = shared.pushed()
      if (pushed) await addArtifact(sql, { video: video.id, stage, key: planned.key, attempt, ...pushed })
    } finally {
      await shared.done()
    }
  } finally {
    await models.close()
  }
}

// A file as the machines know it: where it lies for all of them is written down, and what it is. One in a bucket is fetched to find
// that out.
export async function queuedVideo(given: string, work: Queueing): Promise<Video> {
  const { cluster, settings, library, watch, signal, upload } = work
  const inBucket = isBucketAddress(given)
  const path = inBucket ? await fetchAddress(sourceWork(work), given) : given
  const video = await locateVideo(library, path, { ...filePolicy(settings.index), watch, signal })
  if (upload && !inBucket) await uploadSource(sourceWork(work), video)
  else {
    const { roots } = settings.cluster
    await insertVideo(cluster.database, video)
    const source = inBucket ? bucketPlace(given, roots) : await rootedPath(video.path, roots)
    await addSource(cluster.database, video.id, source)
  }
  return video
}

function sourceWork({ cluster, settings, host, library, signal }: Queueing): SourceWork {
  const { roots, cache } = settings.cluster
  const { database: sql, store } = cluster
  return { sql, store, roots, environment: host.environment, signal, cache: openPulledCache(library, cache) }
}

// Asks for the indexes of located videos; returns the id of the request.
export async function queueVideos(videos: readonly Video[], priority: Priority, work: Queueing): Promise<string> {
  const { settings, host, upload } = work
  const { database, engine } = work.cluster
  const frozen: FrozenIndex = await freezeIndex(settings, host)
  const frozenVideos = []
  for (const video of videos) {
    const frozenVideo = await freezeVideo(video, frozen)
    const travelsAlone = upload && video.sidecars.length > 0
    frozenVideos.push(
      travelsAlone && !(await sharedSubtitles(frozenVideo, frozen, work))
        ? await freezeVideo({ ...video, sidecars: [] }, frozen)
        : frozenVideo,
    )
  }
  const by = `${userInfo().username}@${hostname()}`
  return requestIndex(database, engine, { frozen, videos: frozenVideos, priority, by })
}

// False: what they say cannot be read, and the video goes without them, which is said.
async function sharedSubtitles(one: FrozenVideo, frozen: FrozenIndex, work: Queueing): Promise<boolean> {
  try {
    await shareSubtitles(one, frozen, work)
    return true
  } catch (error) {
    if (work.signal.aborted || !(error instanceof BackendError || error instanceof InputError)) throw error
    work.watch({ type: 'note', text: `${one.video.name} goes without the subtitle files beside it: ${error.message}` })
    return false
  }
}
