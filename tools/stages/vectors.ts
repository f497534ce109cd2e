import { toFloat16 } from '../../src/core/float16.ts'
import type { ImageEncoder } from '../../src/core/services.ts'
import type { Still } from '../../src/core/video.ts'
import type { StageContext } from './stage.ts'
import { overStills, type StillSource } from './still-source.ts'

const BATCH = 16
export type FoundVectors = (stills: Still[], halves: Uint16Array[]) => Promise<void>

const every = () => () => true

// One vector a still, in the order of stills.json; `found` is told of them as they come. Writes vectors.f16 (unit vectors one after another, half floats) and vectors.json.
export async function vectorsStage(
  context: StageContext,
  encoder: ImageEncoder,
  source: StillSource,
  found?: FoundVectors,
): Promise<void> {
  const { out, signal, video } = context
  const { stills, made } = await overStills(source, BATCH, every, async group => {
    signal.throwIfAborted()
    const frames = await Promise.all(group.map(still => source.file.frame(still)))
    const vectors = await encoder.images(frames, signal)
    context.progress(group[group.length - 1].time, video.duration)
    const halves = vectors.map(toFloat16)
    await found?.(group, halves)
    return halves
  })
  const sink = await out.bytes('vectors.f16')
  for (const still of stills) await sink.write(new Uint8Array((made.get(still.offset) as Uint16Array).buffer))
  await sink.close()
  await out.json('vectors.json', { dimensions: encoder.dimensions, count: stills.length, format: 'f16' })
}
