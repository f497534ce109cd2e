import type { Video } from '../../../src/core/video.ts'
import { readFrozenVideo } from '../jobs/known-video.ts'
import { sharedTurns } from '../limits/shared-turns.ts'
import type { Counted } from '../observe/counters.ts'
import type { PulledCache } from '../store/pulled-cache.ts'
import { type SharedVideo, sharedStages } from '../store/shared-stages.ts'
import { locateSource } from '../task/locate.ts'
import { type AskContext, type Asker, openAsker } from './run-shard.ts'

type SlotContext = Omit<AskContext, 'locate' | 'shared' | 'turns'> & {
  cache: PulledCache
  count: (counted: Counted) => void
}

// Shards asked in the process of a slot: videos below the roots of this machine, indexes as others have made them.
export function openQuestions({ cache, count, ...given }: SlotContext): Asker {
  const { database, store, own, environment, say } = given
  const { signal } = new AbortController()
  const sources = { sql: database, store, cache, roots: own.cluster.roots, environment, signal, count }
  const waited = (server: string, seconds: number) => count({ what: 'wait', server, seconds })
  const used = new Set<Promise<SharedVideo>>()
  const shared = (video: Video) => {
    const stages = sharedStages({ sql: database, store, cache, video, signal, say, count })
    used.add(stages)
    return stages
  }
  const asker = openAsker({
    ...given,
    shared,
    turns: sharedTurns({ sql: database, limits: own.cluster.limits, say, waited }),
    locate: async id => locateSource(sources, (await readFrozenVideo(database, id)).video),
  })
  return {
    async run(job, work) {
      try {
        return await asker.run(job, work)
      } finally {
        for (const stages of used) await (await stages.catch(() => undefined))?.done()
        used.clear()
      }
    },
    close: asker.close,
  }
}
