import { randomBytes } from 'node:crypto'
import { type FrozenIndex, type FrozenVideo, modelsHere, plansOf } from '../../app/index/frozen-index.ts'
import { makeStage } from '../../app/index/one-stage.ts'
import { addArtifact } from '../data/catalogue/artifacts.ts'
import { openPulledCache } from '../store/pulled-cache.ts'
import { sharedStages } from '../store/shared-stages.ts'
import type { Queueing } from './queueing.ts'

const stage = 'subtitles'

// A file that is sent to the store travels without the subtitle files beside it: no other machine could make their stage, so it is made
// here.
export async function shareSubtitles(given: FrozenVideo, frozen: FrozenIndex, work: Queueing): Promise<void> {
  const { video } = given
  const { cluster, settings, host, library, watch, signal } = work
  const { database: sql, store } = cluster
  const models = await modelsHere(frozen, settings.models, host)
  const attempt = randomBytes(4).toString('hex')
  try {
    const [plan] = await plansOf(given, frozen, () => undefined, models)
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
