import { setTimeout as sleep } from 'node:timers/promises'
import { isAway } from './database-faults.ts'

// Tries again while the database is away, for at most that many seconds; so `work` must be such that twice does as much as once.
export async function persist<T>(work: () => Promise<T>, seconds: number, signal?: AbortSignal): Promise<T> {
  const until = performance.now() + seconds * 1000
  for (let wait = 50; ; wait = Math.min(wait * 2, 2000)) {
    try {
      return await work()
    } catch (error) {
      if (!isAway(error) || signal?.aborted || performance.now() + wait > until) throw error
      await sleep(wait * (0.5 + Math.random()), undefined, { signal })
    }
  }
}
