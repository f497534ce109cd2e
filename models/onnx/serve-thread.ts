import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadReply, ThreadRequest } from './messages.ts'

interface Serving<Job> {
  // `report` sends a piece of the result before it is complete.
  work(job: Job, isCancelled: () => boolean, report: (piece: unknown) => void): Promise<unknown>
  close?(): Promise<void>
}

// The flags of the exit guard, allocated by the parent.
export const marks = workerData as Int32Array

// The worker side of `Thread`: runs jobs as they come. Terminating a worker inside ONNX Runtime aborts the whole process, so the
// worker ends by itself when it gets a close request.
export function serveThread<Job>(serving: Serving<Job>): void {
  const cancelled = new Set<number>()
  const running = new Map<number, Promise<void>>()

  const answer = async (job: Job, id: number) => {
    let reply: ThreadReply
    try {
      const report = (piece: unknown) => parentPort?.postMessage({ id, piece } satisfies ThreadReply)
      reply = { id, result: await serving.work(job, () => cancelled.has(id), report) }
    } catch (error) {
      reply = { id, error: error instanceof Error ? error.message : String(error) }
    }
    parentPort?.postMessage(reply, 'result' in reply ? [...new Set(collectBuffers(reply.result))] : [])
    running.delete(id)
    cancelled.delete(id)
  }

  const close = async () => {
    for (const id of running.keys()) cancelled.add(id)
    await Promise.allSettled(running.values())
    await serving.close?.()
    parentPort?.close()
  }

  parentPort?.on('message', (request: ThreadRequest<Job>) => {
    if (request.kind === 'close') close()
    else if (request.kind === 'cancel') cancelled.add(request.id)
    else running.set(request.id, answer(request.job, request.id))
  })
}

function collectBuffers(value: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) return value.buffer instanceof ArrayBuffer ? [value.buffer] : []
  if (value && typeof value === 'object') return Object.values(value).flatMap(collectBuffers)
  return []
}
