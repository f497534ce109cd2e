import { parentPort, workerData } from 'node:worker_threads'
import type { Reply, Request } from './messages.ts'

export interface Serving<Job> {
  // `tell` sends a piece of the result before it is whole.
  work(job: Job, isCancelled: () => boolean, tell: (piece: unknown) => void): Promise<unknown>
  close?(): Promise<void>
}

// The marks of the exit guard, handed over by the side that started this thread.
export const marks = workerData as Int32Array

// The thread's side of `Thread`: answers jobs as they come. A thread that is stopped in the middle of a run takes the whole
// process with it, so it ends by itself when it is told to close.
export function serveThread<Job>(serving: Serving<Job>): void {
  const cancelled = new Set<number>()
  const running = new Map<number, Promise<void>>()

  const answer = async (job: Job, id: number) => {
    let reply: Reply
    try {
      const tell = (piece: unknown) => parentPort?.postMessage({ id, piece } satisfies Reply)
      reply = { id, result: await serving.work(job, () => cancelled.has(id), tell) }
    } catch (error) {
      reply = { id, error: error instanceof Error ? error.message : String(error) }
    }
    parentPort?.postMessage(reply, 'result' in reply ? [...new Set(buffersOf(reply.result))] : [])
    running.delete(id)
    cancelled.delete(id)
  }

  const close = async () => {
    for (const id of running.keys()) cancelled.add(id)
    await Promise.allSettled(running.values())
    await serving.close?.()
    parentPort?.close()
  }

  parentPort?.on('message', (request: Request<Job>) => {
    if (request.kind === 'close') close()
    else if (request.kind === 'cancel') cancelled.add(request.id)
    else running.set(request.id, answer(request.job, request.id))
  })
}

function buffersOf(value: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) return value.buffer instanceof ArrayBuffer ? [value.buffer] : []
  if (value && typeof value === 'object') return Object.values(value).flatMap(buffersOf)
  return []
}
