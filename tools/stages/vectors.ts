import { toFloat16 } from '../../src/core/float16.ts'
import type { ImageEncoder } from '../../src/core/services.ts'
import type { StageContext } from './stage.ts'
import { overStills, type StillSource } from './still-source.ts'

const BATCH = 16
const every = () => () => true

// One vector a still, in the order of stills.json. Writes vectors.f16 (unit vectors one after another, half floats) and vectors.json.
export async function vectorsStage(context: StageContext, encoder: ImageEncoder, source: StillSource): Promise<void> {
  const { out, signal, video } = context
  const { stills, made } = await overStills(source, BATCH, every, async group => {
    signal.throwIfAborted()
    const frames = await Promise.all(group.map(still => source.file.frame(still)))
    const vectors = await encoder.images(frames, signal)
    context.progress(group[group.length - 1].time, video.duration)
    return vectors.map(vector => new Uint8Array(toFloat16(vector).buffer))
  })
  const sink = await out.bytes('vectors.f16')
  for (const still of stills) await sink.write(made.get(still.offset) as Uint8Array)
  await sink.close()
  await out.json('vectors.json', { dimensions: encoder.dimensions, count: stills.length, format: 'f16' })
}
