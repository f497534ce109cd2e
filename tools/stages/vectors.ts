import { fromFloat16, toFloat16 } from '../../src/core/basics/numbers.ts'
import type { StoredVectors } from '../../src/core/services.ts'
import type { Stage } from '../../src/core/stage.ts'
import { earlyVectorIndex, ofStills } from './early.ts'

const batch = 4
const capacity = 512 // of the index of the nearest frames, to begin with

// One vector a still, in the order of stills.json. Writes vectors.f16 (unit vectors one after another, half floats) and vectors.json.
const vectors: Stage<'embedImage'> = {
  name: 'vectors',
  version: 3,
  role: 'embedImage',
  track: 'picture',
  ...ofStills,
  megabytes: async given => (await import('./stills/over-stills.ts')).pictureMegabytes(given),
  async make(context) {
    const { overStills } = await import('./stills/over-stills.ts')
    const { out, signal } = context
    const { service } = await context.open()
    const offsets: number[] = []
    let index: StoredVectors | undefined
    const { stills, made } = await overStills(context, {
      size: batch,
      atOnce: () => service.atOnce,
      isRepeat: still => still.reason === 'interval',
      async work(frames) {
        const vectors = await service.images(frames, signal)
        return vectors.map(vector => Buffer.from(toFloat16(vector).buffer).toString('base64'))
      },
      async made(still, encoded) {
        const vector = fromFloat16(halves(encoded))
        index ??= await context.search.vectors(vector.length, capacity)
        index.add(offsets.length, vector)
        offsets.push(still.offset)
      },
    })
    const sink = await out.bytes('vectors.f16')
    for (const still of stills) await sink.write(Buffer.from(made.get(still.offset) as string, 'base64'))
    await sink.close()
    await out.json('vectors.json', { dimensions: service.dimensions, count: stills.length, format: 'f16' })
    if (index) context.pipeline.publish(earlyVectorIndex, { index, offsets })
  },
}
export default vectors

function halves(base64: string): Uint16Array {
  return new Uint16Array(new Uint8Array(Buffer.from(base64, 'base64')).buffer)
}
