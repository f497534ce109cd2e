import { BackendError, type LongtakeError } from '../../../src/core/errors.ts'
import type { IndexReport } from '../../../src/core/runtime.ts'
import type { Video } from '../../../src/core/video.ts'
import { frozenVideo } from '../../../src/runtime/index/frozen-index.ts'
import { type Request, readWants } from '../data/catalogue/requests.ts'
import { readVideoSources, selectVideo } from '../data/catalogue/videos.ts'
import type { Sql } from '../data/sql.ts'
import { openPulledCache } from '../store/pulled-cache.ts'
import { sharedStages } from '../store/shared-stages.ts'
import type { Queueing } from './queueing.ts'
import { buildIndexReport, readVideoError } from './report.ts'
import { fileBelow } from './roots.ts'

type Outcome = { path: string; report: IndexReport } | { path: string; error: LongtakeError }

// One outcome a video of an ended request.
export async function requestOutcomes(request: Request, work: Queueing, profile: string): Promise<Outcome[]> {
  const { cluster, library, settings, signal, watch } = work
  const { database: sql, store } = cluster
  const cache = openPulledCache(library, settings.cluster.cache)
  const outcomes: Outcome[] = []
  for (const want of await readWants(sql, request.id)) {
    const video = await videoHere(sql, want.video, work)
    if (want.state !== 'done') {
      const note = want.note ?? (request.state === 'cancelled' ? 'The request was cancelled.' : undefined)
      outcomes.push({ path: video.path, error: await readVideoError(sql, want.video, note) })
      continue
    }
    const say = (text: string) => watch({ type: 'note', text })
    const shared = await sharedStages({ sql, store, cache, video, signal, say })
    try {
      const folder = library.videoFolder(video.id)
      const report = await buildIndexReport({ sql, request, video, folder, shared, profile })
      outcomes.push({ path: video.path, report })
    } catch (error) {
      if (!(error instanceof BackendError)) throw error
      outcomes.push({ path: video.path, error })
    } finally {
      await shared.done()
    }
  }
  return outcomes
}

// As this machine knows it, or as it was asked for elsewhere.
async function videoHere(sql: Sql, id: string, { library, settings }: Queueing): Promise<Video> {
  const libraryVideo = await library.find(id)
  if (libraryVideo) return libraryVideo
  const { video } = frozenVideo((await selectVideo(sql, id))?.probe)
  for (const source of await readVideoSources(sql, id)) {
    const path = 'object' in source ? undefined : await fileBelow(source, settings.cluster.roots)
    if (path) return { ...video, path }
  }
  return video
}
