import { linkSignals } from './signals.ts'

// Processes up to `atOnce` items concurrently and yields the results in order. At most `atOnce` results wait at any
// time; when the consumer stops or an item fails, no further item starts and the signal of `work` aborts.
export async function* inOrder<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  atOnce: number,
  signal: AbortSignal,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): AsyncGenerator<Result> {
  const stop = linkSignals(signal)
  const running: Promise<Result>[] = []
  try {
    for await (const item of items) {
      signal.throwIfAborted()
      const result = work(item, stop.signal)
      result.catch(() => {}) // it is handled where it is awaited
      running.push(result)
      if (running.length >= atOnce) yield await (running.shift() as Promise<Result>)
    }
    while (running.length > 0) yield await (running.shift() as Promise<Result>)
  } finally {
    stop.abort()
    stop.clear()
    await Promise.allSettled(running)
  }
}
