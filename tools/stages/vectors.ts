import { toFloat16 } from '../../src/core/float16.ts'
import type { ImageEncoder } from '../../src/core/services.ts'
import type { Still } from '../../src/core/video.ts'
import type { StageContext } from './stage.ts'
import type { StillFile } from './still-file.ts'

const BATCH = 16

// One vector a still, in the order of stills.json. Writes vectors.f16 (unit vectors one after another, half floats) and vectors.json.
export async function vectorsStage(
  context: StageContext,
  encoder: ImageEncoder,
  stills: Still[],
  file: StillFile,
): Promise<void> {
  const sink = await context.out.bytes('vectors.f16')
  for (let at = 0; at < stills.length; at += BATCH) {
    context.signal.throwIfAborted()
    const batch = stills.slice(at, at + BATCH)
    const frames = await Promise.all(batch.map(still => file.frame(still)))
    for (const vector of await encoder.images(frames, context.signal)) {
      await sink.write(new Uint8Array(toFloat16(vector).buffer))
    }
    context.progress(batch[batch.length - 1].time, context.video.duration)
  }
  await sink.close()
  await context.out.json('vectors.json', { dimensions: encoder.dimensions, count: stills.length, format: 'f16' })
}
