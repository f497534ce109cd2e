import { setImmediate as breathe } from 'node:timers/promises'
import type { FoundVectors } from '../../../tools/stages/vectors.ts'
import { fromFloat16 } from '../../core/float16.ts'
import { isBuilt } from '../../core/native-packages.ts'
import type { StageResult } from '../../core/stage.ts'
import type { Still } from '../../core/video.ts'
import { vectorIndexes } from '../../search/vectors/index.ts'
import type { StoredVectors } from '../../search/vectors/vector.ts'
import { readVectors } from './index-files.ts'
import type { MakeStage } from './stage-runner.ts'

const BREATH = 32 // vectors added between two turns of the event loop: HNSW takes about a millisecond for each
const CAPACITY = 512 // to begin with

// The index of the nearest frames, from the vectors of the stills, which may be added as they are found. The number of a still in it
// is its place in the list: where a still came in between afterwards, the index is built again.
export function nearestIndex(kind: keyof typeof vectorIndexes) {
  let early: StoredVectors | undefined
  const added: number[] = [] // places in the file of stills
  const found: FoundVectors = async (stills, halves) => {
    for (const [at, half] of halves.entries()) {
      early ??= await vectorIndexes[kind].create(half.length, CAPACITY)
      early.add(added.length, fromFloat16(half))
      added.push(stills[at].offset)
    }
  }

  // Writes vectors.index.
  const stage = (vectorsOf: () => StageResult, stillsOf: () => Promise<Still[]>): MakeStage => {
    return async ({ out, signal, progress, video }) => {
      if (!isBuilt('hnswlib-node'))
        out.note(
          'each vector is looked at, as the package hnswlib-node is not installed; doctor says what it would add',
        )
      const { vectors, dimensions } = await readVectors(vectorsOf())
      const stills = early ? await stillsOf() : []
      const known = early && added.every((offset, at) => stills[at]?.offset === offset) ? early : undefined
      if (!known) await early?.close?.()
      early = undefined
      const index = known ?? (await vectorIndexes[kind].create(dimensions, Math.max(1, vectors.length)))
      for (let key = index.size; key < vectors.length; key++) {
        index.add(key, vectors[key])
        if (key % BREATH !== BREATH - 1) continue
        await breathe()
        signal.throwIfAborted()
        progress((video.duration * key) / vectors.length, video.duration)
      }
      await index.save(out.path('vectors.index'))
      await index.close?.()
    }
  }
  return { found, stage }
}
