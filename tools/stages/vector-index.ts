import { setImmediate as yieldToLoop } from 'node:timers/promises'
import { isBuilt } from '../../src/core/machine/native-packages.ts'
import type { Stage } from '../../src/core/stage.ts'
import { earlyVectorIndex } from './early.ts'
import { need, readVectors, stillList } from './results.ts'

const vectorsPerTurn = 32 // of the event loop

// The index of the nearest frames. Writes vectors.index.
const vectorIndex: Stage = {
  name: 'vector-index',
  version: 1,
  after: ['vectors'],
  instead: ({ settings }) => ({ by: `vectors/${settings.vectors}` }),
  async make({ out, signal, progress, video, search, pipeline: { published }, results: { result }, keepsStill }) {
    if (!isBuilt('hnswlib-node'))
      out.note('each vector is looked at, as the package hnswlib-node is not installed; doctor says what it would add')
    const { vectors, dimensions } = await readVectors(need(result('vectors')))
    const early = published(earlyVectorIndex).at(-1)
    const stills = early ? await stillList(need(result('decode')), keepsStill) : []
    const holds = early?.offsets.every((offset, at) => stills[at]?.offset === offset)
    if (!holds) await early?.index.close?.()
    const index = early && holds ? early.index : await search.vectors(dimensions, Math.max(1, vectors.length))
    for (let key = index.size; key < vectors.length; key++) {
      index.add(key, vectors[key]!)
      if (key % vectorsPerTurn !== vectorsPerTurn - 1) continue
      await yieldToLoop()
      signal.throwIfAborted()
      progress((video.duration * key) / vectors.length, video.duration)
    }
    await index.save(out.path('vectors.index'))
    await index.close?.()
  },
}
export default vectorIndex
