// A signal that also aborts with others. Clear it at the end: that removes its listeners.
export interface LinkedSignal {
  signal: AbortSignal
  abort(reason?: unknown): void
  clear(): void
}

// Who waits for a signal: all of them behind one listener, since a run has as many as it has questions and requests at a time.
const waiting = new WeakMap<AbortSignal, { waiters: Set<() => void>; wake: () => void }>()

// Calls back when the signal aborts, at once where it has. The returned function ends the waiting.
export function whenAborted(signal: AbortSignal | undefined, then: () => void): () => void {
  if (signal?.aborted) then()
  if (!signal || signal.aborted) return () => {}
  const { waiters, wake } = waiting.get(signal) ?? listen(signal)
  const waiter = () => then() // the same function may wait twice
  waiters.add(waiter)
  return () => {
    if (!waiters.delete(waiter) || waiters.size > 0) return
    signal.removeEventListener('abort', wake)
    waiting.delete(signal)
  }
}

function listen(signal: AbortSignal) {
  const waiters = new Set<() => void>()
  const wake = () => {
    for (const waiter of waiters) waiter()
  }
  signal.addEventListener('abort', wake, { once: true })
  const listener = { waiters, wake }
  waiting.set(signal, listener)
  return listener
}

// Aborts with the first of the signals, or by itself.
export function linkSignals(...signals: (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController()
  const links = signals
    .filter(signal => signal !== undefined)
    .map(signal => whenAborted(signal, () => controller.abort(signal.reason)))
  return {
    signal: controller.signal,
    abort: reason => controller.abort(reason),
    clear() {
      for (const unlink of links) unlink()
    },
  }
}

// Aborts with the outer signal, or after so many seconds. It has a timer of its own: in Node 20 AbortSignal.any loses a timeout
// signal that nobody else holds.
export function withDeadline(
  seconds: number,
  outer: AbortSignal,
  reason: () => unknown = () => new DOMException('The time is up.', 'TimeoutError'),
): LinkedSignal {
  const link = linkSignals(outer)
  const timer = setTimeout(() => link.abort(reason()), seconds * 1000)
  return {
    ...link,
    clear() {
      clearTimeout(timer)
      link.clear()
    },
  }
}

// Rejects with the signal, also where the work does not listen to it.
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => {}) // it may still fail when nobody waits for it any more
  signal.throwIfAborted()
  let unlisten = () => {}
  const aborted = new Promise<never>((_, reject) => {
    unlisten = whenAborted(signal, () => reject(signal.reason))
  })
  return Promise.race([work, aborted]).finally(unlisten)
}

const longestTurn = 40 // milliseconds of computing between two pauses

// Lets signals and timers run during a long computation. Call it for each item and await what it returns: a promise only when it is time.
//   const pause = breathe()
//   if (pause) await pause
export function breather(signal?: AbortSignal): () => Promise<void> | undefined {
  let last = performance.now()
  let calls = 0
  return () => {
    // Asking for the time costs more than a cheap item does.
    if (++calls % 16 !== 0 || performance.now() - last < longestTurn) return undefined
    return new Promise((resolve, reject) => {
      setImmediate(() => {
        last = performance.now()
        if (signal?.aborted) reject(signal.reason)
        else resolve()
      })
    })
  }
}
