import { setImmediate as breathe } from 'node:timers/promises'
import type { StageResult } from '../core/stage.ts'
import { vectorIndexes } from '../store/vectors/index.ts'
import { readVectors } from './index-files.ts'
import type { MakeStage } from './stage-runner.ts'

const BREATH = 32 // vectors added between two turns of the event loop: HNSW takes about a millisecond for each

// The index of the nearest frames, from the vectors of the stills. Writes vectors.index.
export function nearestStage(kind: keyof typeof vectorIndexes, vectorsOf: () => StageResult): MakeStage {
  return async ({ out, signal, progress, video }) => {
    const { vectors, dimensions } = await readVectors(vectorsOf())
    const index = await vectorIndexes[kind].create(dimensions, Math.max(1, vectors.length))
    for (const [key, vector] of vectors.entries()) {
      index.add(key, vector)
      if (key % BREATH !== BREATH - 1) continue
      await breathe()
      signal.throwIfAborted()
      progress((video.duration * key) / vectors.length, video.duration)
    }
    await index.save(out.path('vectors.index'))
    await index.close?.()
  }
}
