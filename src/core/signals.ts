// A signal that also ends with others. Clear it at the end: it then lets go of them.
export interface Linked {
  signal: AbortSignal
  abort(reason?: unknown): void
  clear(): void
}

// Ends with the first of the signals, or when it is aborted itself.
export function linked(...signals: (AbortSignal | undefined)[]): Linked {
  const controller = new AbortController()
  const links = signals
    .filter(signal => signal !== undefined)
    .map(signal => {
      const stop = () => controller.abort(signal.reason)
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
      return () => signal.removeEventListener('abort', stop)
    })
  return {
    signal: controller.signal,
    abort: reason => controller.abort(reason),
    clear() {
      for (const unlink of links) unlink()
    },
  }
}

// Ends with the outer signal, or after so many seconds. It has a timer of its own: in Node 20 AbortSignal.any loses a timeout
// signal that nobody else holds.
export function withDeadline(
  seconds: number,
  outer: AbortSignal,
  reason: () => unknown = () => new DOMException('The time is up.', 'TimeoutError'),
): Linked {
  const link = linked(outer)
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
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
