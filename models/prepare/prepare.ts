import { closeWhenIdle } from '../onnx/close-when-idle.ts'
import { Thread } from '../onnx/thread.ts'
import type { PrepareJob, Steps } from './prepare-worker.ts'

// One thread for all models of the process, opened when it is first needed and ended while nobody needs it for long.
const thread = closeWhenIdle(async () => new Thread<PrepareJob>('./prepare-worker', import.meta.url, 'preparation'))

// Runs a step of prepare-worker.ts in its thread.
export function prepare<Kind extends keyof Steps>(
  kind: Kind,
  args: Parameters<Steps[Kind]>,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<Steps[Kind]>>> {
  const job = { kind, args: args.map(own) }
  return thread.use(open => open.ask(job, signal) as Promise<Awaited<ReturnType<Steps[Kind]>>>)
}

// The same step for one item after another.
export async function prepareAll<Kind extends keyof Steps>(
  kind: Kind,
  items: Parameters<Steps[Kind]>[],
  signal: AbortSignal,
): Promise<Awaited<ReturnType<Steps[Kind]>>[]> {
  const prepared: Awaited<ReturnType<Steps[Kind]>>[] = []
  for (const args of items) prepared.push(await prepare(kind, args, signal))
  return prepared
}

// A view of a larger buffer would take all of that buffer along to the thread.
function own(value: unknown): unknown {
  if (value instanceof Uint8Array || value instanceof Float32Array)
    return value.byteLength === value.buffer.byteLength ? value : value.slice()
  if (Array.isArray(value)) return value.map(own)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, own(part)]))
}
