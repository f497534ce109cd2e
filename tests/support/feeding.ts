import { Batches } from '../../models/onnx/batches.ts'
import { Thread } from '../../models/onnx/thread.ts'
import { PictureConfig } from '../../models/prepare/picture-config.ts'
import { prepare } from '../../models/prepare/prepare.ts'
import type { Frame } from '../../src/core/video.ts'

export interface Feeding {
  overlap: number // share of the wall clock in which the model works
  alone: number // the same if nothing were prepared meanwhile
  batchMs: number // that the model sleeps
  prepareMs: number // of a batch
}

const { signal } = new AbortController()
const config = PictureConfig.parse({ size: { width: 256, height: 256 } })

// Feeds pictures to a model that sleeps for `share` of what it takes to prepare a batch, in a thread of its own.
export async function feedSleeping(
  picture: Frame,
  { batches, size, share = 1.5 }: { batches: number; size: number; share?: number },
): Promise<Feeding> {
  const model = new Thread<{ kind: 'run'; milliseconds: number }>('./sleeping-model-worker', import.meta.url, 'sleeper')
  const make = (frame: Frame) => prepare('picture', [frame, config], signal)
  try {
    await model.ask({ kind: 'run', milliseconds: 1 })
    for (let i = 0; i < 4; i++) await make(picture) // the thread starts, and its code is compiled
    const began = performance.now()
    await Promise.all(Array.from({ length: size * 2 }, () => make(picture)))
    const prepareMs = (performance.now() - began) / 2
    const batchMs = Math.max(2, prepareMs * share)
    const fed = new Batches(size, { cpu: size, card: size }, () => {})
    let worked = 0
    const start = performance.now()
    await fed.feed(
      Array.from({ length: batches * size }, () => picture),
      signal,
      make,
      async batch => {
        await model.ask({ kind: 'run', milliseconds: batchMs })
        worked += batchMs
        return batch.map(() => 0)
      },
    )
    return {
      overlap: worked / (performance.now() - start),
      alone: batchMs / (batchMs + prepareMs),
      batchMs,
      prepareMs,
    }
  } finally {
    await model.close()
  }
}
