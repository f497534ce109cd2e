import { errorText } from '../../src/core/errors.ts'

// Splits work into batches. Where one does not fit into memory it is tried again by halves, and later ones stay that small.
export class Batches {
  #size: number
  readonly #say: (line: string) => void

  constructor(size: number, say: (line: string) => void) {
    this.#size = size
    this.#say = say
  }

  get size(): number {
    return this.#size
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

// ONNX Runtime's words for it, on processors and on graphics cards.
export function isOutOfMemory(error: unknown): boolean {
  return /out of memory|failed to allocate|bad[ _]alloc|bad allocation|OUT_OF_DEVICE_MEMORY|exceeds? .*memory/i.test(
    errorText(error),
  )
}
