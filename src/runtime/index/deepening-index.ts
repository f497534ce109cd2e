import { isDeepStrictEqual } from 'node:util'
import type { Watch } from '../../core/agent.ts'
import { BackendError } from '../../core/errors.ts'
import type { DeepenWork } from './deepen.ts'
import type { IndexedVideo } from './find-index.ts'
import { type OpenedIndex, openIndex } from './open-index.ts'

export interface DeepeningIndex {
  index(): OpenedIndex // as it is now
  // Looks closely at what the question touches; `spend` is told what a model took for it.
  touch(question: string, watch: Watch, signal: AbortSignal, spend?: DeepenWork['spend']): Promise<OpenedIndex>
  close(): Promise<void>
}

// An open index that learns with each question, where it knows only keyframes; else simply the open index.
export async function deepeningIndex(indexed: IndexedVideo, work: DeepenWork): Promise<DeepeningIndex> {
  const { models, settings, signal } = work
  const closely = { text: readsMore(indexed, work), captions: captionsMore(indexed, work) }
  if (!closely.text && !closely.captions) {
    const index = { ...(await openIndex(indexed, models, settings, signal)), deepened: [] }
    return { index: () => index, touch: async () => index, close: () => index.close() }
  }
  const { knownWindows, openDeepened, touchedWindows } = await import('./deepen.ts')
  let now = await openDeepened(indexed, await knownWindows(indexed, work, closely), work)
  const opened = [now]
  return {
    index: () => now,
    async touch(question, watch, signal, spend) {
      const deepened = now.deepened ?? []
      const fresh = (await touchedWindows(now, question, closely)).filter(
        window => !deepened.some(one => isDeepStrictEqual(one, window)),
      )
      if (fresh.length === 0) return now
      const stage = 'deepened'
      watch({ type: 'stage', stage, state: 'running' })
      try {
        now = await openDeepened(indexed, [...deepened, ...fresh], { ...work, spend }, signal)
        opened.push(now)
        watch({ type: 'stage', stage, state: 'done' })
      } catch (error) {
        if (signal.aborted || !(error instanceof BackendError)) throw error
        watch({ type: 'stage', stage, state: 'failed', note: error.message })
      }
      return now
    },
    async close() {
      for (const index of opened) await index.close()
    },
  }
}

// True if the index was made from keyframes only and text on screen is indexed.
function readsMore({ coverage, video }: IndexedVideo, { models, settings }: DeepenWork): boolean {
  const reads = settings.deepen && settings.tracks.text && !models.isOff('readText')
  return coverage.picturesFrom === 'keyframes' && video.picture !== undefined && reads
}

// True where the index has captions.
function captionsMore({ stages }: IndexedVideo, { models, settings }: DeepenWork): boolean {
  return settings.deepen && stages.captions !== undefined && !models.isOff('vision')
}
