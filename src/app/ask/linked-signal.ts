export interface LinkedSignal {
  signal: AbortSignal
  clear(): void // lets go of the others
}

// Ends with the first of the signals. In Node 20 AbortSignal.any loses a timeout that nobody else holds.
export function linkedSignal(...signals: (AbortSignal | undefined)[]): LinkedSignal {
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
    clear() {
      for (const unlink of links) unlink()
    },
  }
}
