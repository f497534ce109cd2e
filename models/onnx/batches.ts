import { z } from 'zod'
import { errorText } from '../../src/core/errors.ts'

// The setting that says how many items are in one run of a model.
export function batchSetting(size: number, items: string) {
  const about = `${items}; halved where they do not fit into memory`
  return z.number().int().positive().default(size).describe(about)
}

// Splits work into batches. A batch that does not fit into memory is retried in halves, and later ones stay that small.
export class Batches {
  #size: number
  readonly #say: (line: string) => void

  constructor(size: number, say: (line: string) => void) {
    this.#size = size
    this.#say = say
  }

  async map<Item, Result>(
    items: readonly Item[],
    signal: AbortSignal,
    run: (batch: Item[]) => Promise<Result[]>,
  ): Promise<Result[]> {
    const results: Result[] = []
    while (results.length < items.length) {
      signal.throwIfAborted()
      const batch = items.slice(results.length, results.length + this.#size)
      try {
        results.push(...(await run(batch)))
      } catch (error) {
        if (!isOutOfMemory(error) || batch.length === 1) throw error
        this.#size = Math.ceil(batch.length / 2)
        this.#say(`A batch of ${batch.length} does not fit into memory; going on with ${this.#size} at a time.`)
      }
    }
    return results
  }
}

// The messages of ONNX Runtime on CPU and GPU.
function isOutOfMemory(error: unknown): boolean {
  return /out of memory|failed to allocate|bad[ _]alloc|bad allocation|OUT_OF_DEVICE_MEMORY|exceeds? .*memory/i.test(
    errorText(error),
  )
}
