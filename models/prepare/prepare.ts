import { availableParallelism } from 'node:os'
import { memoryBound } from '../../src/core/machine/memory.ts'
import { closeWhenIdle } from '../onnx/close-when-idle.ts'
import { Thread } from '../onnx/thread.ts'
import type { PrepareJob, PrepareSteps } from './prepare-worker.ts'

// Threads for all models of the process, opened when they are first needed and ended while nobody needs them for long. On two cores
// there is one: the other core is the model's.
const count = memoryBound() ? 1 : Math.max(1, Math.min(4, availableParallelism() - 1))
const threads = Array.from({ length: count }, () => ({
  busy: false,
  thread: closeWhenIdle(async () => new Thread<PrepareJob>('./prepare-worker', import.meta.url, 'preparation')),
}))
const waiting: ((thread: (typeof threads)[number]) => void)[] = []

// Runs a step of prepare-worker.ts in a thread. What waits for its turn lies here and not in the thread, which copies it; many may
// wait, so that each looks at its signal when its turn comes.
export async function prepare<Kind extends keyof PrepareSteps>(
  kind: Kind,
  args: Parameters<PrepareSteps[Kind]>,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<PrepareSteps[Kind]>>> {
  const chosen = threads.find(({ busy }) => !busy) ?? (await turn())
  chosen.busy = true
  try {
    signal.throwIfAborted()
    const reply = chosen.thread.use(open => open.ask({ kind, args: args.map(transferable) }, signal))
    return await (reply as Promise<Awaited<ReturnType<PrepareSteps[Kind]>>>)
  } finally {
    const next = waiting.shift()
    if (next) next(chosen)
    else chosen.busy = false
  }
}

function turn(): Promise<(typeof threads)[number]> {
  return new Promise(resolve => waiting.push(resolve))
}

// A view of a larger buffer would take all of that buffer along to the thread.
function transferable(value: unknown): unknown {
  if (value instanceof Uint8Array || value instanceof Float32Array)
    return value.byteLength === value.buffer.byteLength ? value : value.slice()
  if (Array.isArray(value)) return value.map(transferable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, transferable(part)]))
}
