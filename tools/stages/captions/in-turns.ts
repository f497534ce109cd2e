import { linked } from '../../../src/core/signals.ts'

// Works on so many items at a time, each begun as soon as one is over. Where one fails no further one begins, and those under way are
// stopped and waited for.
export async function inTurns<Item>(
  items: readonly Item[],
  atOnce: number,
  signal: AbortSignal,
  work: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = linked(signal)
  const waiting = items.values() // shared, so that each is taken once
  const worker = async () => {
    for (const item of waiting) {
      stop.signal.throwIfAborted()
      await work(item, stop.signal)
    }
  }
  const workers = Array.from({ length: Math.min(atOnce, items.length) }, async () => {
    try {
      await worker()
    } catch (error) {
      stop.abort(error) // the first reason stays
    }
  })
  await Promise.all(workers)
  stop.clear()
  stop.signal.throwIfAborted()
}
