import { linked } from '../src/core/signals.ts'

// Works on up to `atOnce` items side by side and gives the results in the order of the items. At most `atOnce` results
// wait at any time; when the reader stops or one fails, no further item is begun and `work` is told by its signal.
export async function* inOrder<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  atOnce: number,
  signal: AbortSignal,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): AsyncGenerator<Result> {
  const stop = linked(signal)
  const running: Promise<Result>[] = []
  try {
    for await (const item of items) {
      signal.throwIfAborted()
      const result = work(item, stop.signal)
      result.catch(() => {}) // whoever awaits it hears of it; until then it is not unhandled
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
