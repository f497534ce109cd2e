import { setTimeout as sleep } from 'node:timers/promises'
import { BackendError, StorageError } from '../../../src/core/errors.ts'

const patience = 600 // seconds that a result, or a worker that starts, waits for a database that is away or full

// What is worth waiting for, until the database takes it. Whoever says what it waits for is told once.
export async function waitForDatabase<T>(
  work: () => Promise<T>,
  { say, signal }: { say?(line: string): void; signal?: AbortSignal } = {},
): Promise<T> {
  const until = performance.now() + patience * 1000
  for (let pause = 1; ; pause = Math.min(pause * 2, 30)) {
    try {
      return await work()
    } catch (error) {
      if (!mayPass(error) || signal?.aborted || performance.now() > until) throw error
      if (pause === 1) say?.(`Waits: ${error.message}`)
      await sleep(pause * 1000, undefined, { signal }).catch(() => {}) // once more where it is told to stop
    }
  }
}

function mayPass(error: unknown): error is Error {
  return error instanceof StorageError || (error instanceof BackendError && error.retryable)
}
