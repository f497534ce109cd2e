import { availableParallelism } from 'node:os'
import { memoryBound } from '../../src/core/machine/memory.ts'
import { Semaphore } from '../http/semaphore.ts'
import { closeWhenIdle } from '../onnx/close-when-idle.ts'
import { Thread } from '../onnx/thread.ts'
import type { PrepareJob, Steps } from './prepare-worker.ts'

// Threads for all models of the process, opened when they are first needed and ended while nobody needs them for long. On two cores
// there is one: the other core is the model's.
const count = memoryBound() ? 1 : Math.max(1, Math.min(4, availableParallelism() - 1))
const threads = Array.from({ length: count }, () => ({
  jobs: 0,
  thread: closeWhenIdle(async () => new Thread<PrepareJob>('./prepare-worker', import.meta.url, 'preparation')),
}))
const turns = new Semaphore(count)

// Runs a step of prepare-worker.ts in a thread. What waits for its turn lies here and not in the thread, which copies it.
export function prepare<Kind extends keyof Steps>(
  kind: Kind,
  args: Parameters<Steps[Kind]>,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<Steps[Kind]>>> {
  const made = turns.run(signal, async () => {
    const chosen = threads.find(({ jobs }) => jobs === 0) ?? (threads[0] as (typeof threads)[number])
    chosen.jobs++
    try {
      return await chosen.thread.use(open => open.ask({ kind, args: args.map(own) }, signal))
    } finally {
      chosen.jobs--
    }
  })
  return made as Promise<Awaited<ReturnType<Steps[Kind]>>>
}

// A view of a larger buffer would take all of that buffer along to the thread.
function own(value: unknown): unknown {
  if (value instanceof Uint8Array || value instanceof Float32Array)
    return value.byteLength === value.buffer.byteLength ? value : value.slice()
  if (Array.isArray(value)) return value.map(own)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, own(part)]))
}
