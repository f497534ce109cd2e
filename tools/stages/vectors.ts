import { toFloat16 } from '../../src/core/float16.ts'
import type { ImageEncoder } from '../../src/core/services.ts'
import type { Still } from '../../src/core/video.ts'
import { openJournal } from './journal.ts'
import type { StageContext } from './stage.ts'
import { overStills, type StillSource, type StillWork } from './still-source.ts'
import { stillsAtOnce } from './stills-at-once.ts'

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
  const journal = await openJournal<string>(out.parts)
  const told: StillWork<string>['told'] = async (group, made) => found?.(group, made.map(fromText))
  const work = { size: stillsAtOnce(BATCH), chooser: every, journal, told }
  const { stills, made } = await overStills<string>(source, work, async group => {
    signal.throwIfAborted()
    const frames = await Promise.all(group.map(still => source.file.frame(still)))
    const vectors = await encoder.images(frames, signal)
    context.progress(group[group.length - 1].time, video.duration)
    return vectors.map(vector => Buffer.from(toFloat16(vector).buffer).toString('base64'))
  })
  const sink = await out.bytes('vectors.f16')
  for (const still of stills) await sink.write(Buffer.from(made.get(still.offset) as string, 'base64'))
  await sink.close()
  await out.json('vectors.json', { dimensions: encoder.dimensions, count: stills.length, format: 'f16' })
}

function fromText(base64: string): Uint16Array {
  const bytes = new Uint8Array(Buffer.from(base64, 'base64'))
  return new Uint16Array(bytes.buffer)
}
