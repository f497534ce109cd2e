// Lets signals and timers through a long computation. Call it once an item, and await what it returns: a promise only where it is time.
//   const pause = breathe()
//   if (pause) await pause
export function breather(signal?: AbortSignal, everyMs = 40): () => Promise<void> | undefined {
  let last = performance.now()
  let calls = 0
  return () => {
    // Asking for the time costs more than a cheap item does.
    if (++calls % 16 !== 0 || performance.now() - last < everyMs) return undefined
    return new Promise((resolve, reject) => {
      setImmediate(() => {
        last = performance.now()
        if (signal?.aborted) reject(signal.reason)
        else resolve()
      })
    })
  }
}
