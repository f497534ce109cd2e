import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { untilAborted } from '../../src/core/basics/signals.ts'
import { BackendError } from '../../src/core/errors.ts'
import { builtFile } from '../../src/core/machine/built-folder.ts'
import { guardExit, unguardExit } from './exit-guard.ts'
import type { OnnxJob, ThreadReply, ThreadRequest } from './messages.ts'

interface Waiting {
  onPiece?(piece: unknown): void
  resolve(result: unknown): void
  reject(error: unknown): void
}

// Asks one worker and waits for its replies. The worker keeps the process alive only while something is asked of it.
export class Thread<AnyJob extends { kind: string } = OnnxJob> {
  readonly #worker: Worker
  readonly #name: string
  readonly #waiting = new Map<number, Waiting>()
  #next = 0
  #ended: Error | undefined
  #exited = false

  // `file` is named as `caller` sees it, without its ending, which is -worker.ts.
  constructor(file: string, caller: string, name: string) {
    const marks = guardExit()
    const worker = startWorker(file, caller, marks)
    this.#worker = worker
    this.#name = name
    worker.unref()
    worker.on('message', reply => this.#answer(reply))
    worker.on('error', cause => this.#end(new BackendError(`${name}: its thread broke: ${cause}`, { cause })))
    worker.on('exit', () => {
      this.#exited = true
      unguardExit(marks)
      this.#end(new BackendError(`${name}: its thread has ended.`))
    })
  }

  // Rejects as soon as the signal aborts; the worker finishes its current step and the result is discarded.
  async ask(job: AnyJob, signal?: AbortSignal, onPiece?: (piece: unknown) => void): Promise<unknown> {
    if (this.#ended) throw this.#ended
    signal?.throwIfAborted()
    const id = this.#next++
    const reply = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, onPiece }))
    try {
      this.#worker.ref()
      this.#send({ kind: 'job', id, job })
      return await (signal ? untilAborted(reply, signal) : reply)
    } finally {
      if (this.#take(id)) this.#send({ kind: 'cancel', id })
    }
  }

  // Closed or broken: it takes no more jobs.
  ended(): boolean {
    return this.#ended !== undefined
  }

  async close(): Promise<void> {
    if (this.#exited) return
    this.#end(new BackendError(`${this.#name} is closed.`))
    this.#worker.ref()
    this.#send({ kind: 'close' })
    await once(this.#worker, 'exit')
  }

  #send(request: ThreadRequest<AnyJob>): void {
    this.#worker.postMessage(request)
  }

  #answer(reply: ThreadReply): void {
    if ('piece' in reply) {
      this.#waiting.get(reply.id)?.onPiece?.(reply.piece)
      return
    }
    const waiting = this.#take(reply.id)
    if ('error' in reply) waiting?.reject(new BackendError(`${this.#name}: ${reply.error}`))
    else waiting?.resolve(reply.result)
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (this.#waiting.size === 0 && !this.#ended) this.#worker.unref()
    return waiting
  }

  #end(error: Error): void {
    this.#ended ??= error
    for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(this.#ended)
  }
}

// Starts the file of this name: of a build, or as TypeScript through tsx.
// Node 20 does not run the loaders of --import on a worker's first file, so the first file is one line that loads tsx.
function startWorker(name: string, caller: string, workerData: unknown): Worker {
  const options = { execArgv: [], workerData } // --input-type, as of a program that is given with --eval, is refused for a file
  const built = builtFile(caller, name)
  if (built) return new Worker(built, options)
  const tsx = import.meta.resolve('tsx/esm/api')
  const file = new URL(`${name}.ts`, caller).href
  return new Worker(`import(${JSON.stringify(tsx)}).then(tsx => (tsx.register(), import(${JSON.stringify(file)})))`, {
    eval: true,
    ...options,
  })
}
