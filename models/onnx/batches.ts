import { z } from 'zod'
import { BackendError } from '../../src/core/errors.ts'
import type { Relief } from './card/lazy-model.ts'
import { isOutOfMemory } from './out-of-memory.ts'

export const BatchSize = z.union([z.literal('auto'), z.number().int().positive()])
export type BatchSize = z.infer<typeof BatchSize>

// How many items are best in one run: on the processor, and on a card if its memory allows.
interface BestBatch {
  cpu: number
  card: number
}

// The setting that says how many items are in one run of a model.
export function batchSetting({ cpu, card }: BestBatch, items: string) {
  const about = `${items}: auto takes ${cpu} on the processor, and up to ${card} on a card as its memory allows; halved where they do not fit`
  return BatchSize.default('auto').describe(about)
}

// Splits work into batches. A batch that does not fit into memory is retried in halves, and later ones stay that small; one item that
// does not fit on a card is tried on the processor.
export class Batches {
  #size: number
  #max: number
  #room: number | undefined // of the card after the last growth, MB
  readonly #best: BestBatch
  readonly #say: (line: string) => void
  readonly #model: Relief | undefined
  readonly #isAuto: boolean

  constructor(batch: BatchSize, best: BestBatch, say: (line: string) => void, model?: Relief) {
    this.#isAuto = batch === 'auto'
    this.#size = batch === 'auto' ? best.cpu : batch
    this.#max = batch === 'auto' ? best.card : batch
    this.#best = best
    this.#say = say
    this.#model = model
  }

  // Items of the next run.
  get size(): number {
    return this.#size
  }

  map<Item, Result>(
    items: readonly Item[],
    signal: AbortSignal,
    run: (batch: Item[]) => Promise<Result[]>,
  ): Promise<Result[]> {
    return this.feed(items, signal, async item => item, run)
  }

  // While one batch runs, the next is prepared.
  async feed<Item, Prepared, Result>(
    items: readonly Item[],
    signal: AbortSignal,
    prepare: (item: Item) => Promise<Prepared>,
    run: (batch: Prepared[]) => Promise<Result[]>,
  ): Promise<Result[]> {
    const results: Result[] = []
    const ready: (Promise<Prepared> | undefined)[] = []
    const prepareUntil = (end: number) => {
      for (let at = results.length; at < Math.min(end, items.length); at++) {
        if (ready[at] || signal.aborted) continue
        ready[at] = prepare(items[at] as Item)
        ready[at]?.catch(() => {}) // it is handled where it is awaited
      }
    }
    let moved = false
    try {
      while (results.length < items.length) {
        signal.throwIfAborted()
        const start = results.length
        const end = start + this.#size
        prepareUntil(end)
        const batch = await Promise.all(ready.slice(start, end) as Promise<Prepared>[])
        prepareUntil(end + this.#size)
        try {
          results.push(...oneForEach(batch, await run(batch)))
          ready.fill(undefined, start, results.length)
          await this.#grow(batch.length)
        } catch (error) {
          if (!isOutOfMemory(error)) throw error
          if (batch.length > 1) this.#halve(batch.length)
          else if (moved || !(await this.#model?.toProcessor())) throw error
          else {
            moved = true
            if (this.#isAuto) this.#size = this.#max = this.#best.cpu
          }
        }
      }
      return results
    } finally {
      await Promise.allSettled(ready)
    }
  }

  #halve(length: number): void {
    this.#size = this.#max = Math.ceil(length / 2)
    this.#say(`A batch of ${length} does not fit into memory; going on with ${this.#size} at a time.`)
  }

  // On a card a run of full size is followed by one of twice that, up to the best, as long as what it will take is free: about twice
  // what the last doubling took.
  async #grow(length: number): Promise<void> {
    if (!this.#isAuto || length < this.#size || this.#size >= this.#max) return
    if ((this.#model?.provider() ?? 'cpu') === 'cpu') return
    const room = await this.#model?.room()
    const usedMegabytes = Math.max(0, (this.#room ?? room ?? 0) - (room ?? 0))
    this.#room = room
    if (room === undefined || room > usedMegabytes * 2) this.#size = Math.min(this.#max, this.#size * 2)
    else this.#max = this.#size
  }
}

// A model of others may give any number of rows. Too few would be asked for again without end, too many would go to other items.
export function oneForEach<Result>(batch: readonly unknown[], results: Result[]): Result[] {
  if (results.length === batch.length) return results
  throw new BackendError(`The model gave ${results.length} results for ${batch.length} inputs.`, {
    hint: 'Its files are of a model for something else: choose another, or fetch it again.',
  })
}
