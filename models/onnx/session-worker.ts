import type { Tensor } from 'onnxruntime-node'
import { type Created, createSession, type RunnableSession } from './create-session.ts'
import type { Feeds, OnnxJob, Scan, Scanned } from './messages.ts'
import { marks, serveThread } from './serve-thread.ts'
import { fromTensors, toTensors } from './tensors.ts'

// One ONNX session in a thread of its own: ONNX Runtime blocks the thread that calls it, although its API is asynchronous.

let created: Created | undefined

serveThread<OnnxJob>({
  async work(job, isCancelled) {
    if (job.kind === 'open') {
      created = await createSession(job, marks)
      return created.opened
    }
    if (!created) throw new Error('the session is not open')
    if (job.kind === 'release') {
      const resting = created
      created = undefined
      return resting.close()
    }
    if (job.kind === 'ran') return created.ran()
    return job.kind === 'run' ? run(created, job.feeds) : scan(created, job.scan, isCancelled)
  },
  close: async () => created?.close(),
})

async function run(session: RunnableSession, feeds: Feeds): Promise<Feeds> {
  return fromTensors(await session.run(await toTensors(feeds)))
}

async function scan(session: RunnableSession, request: Scan, isCancelled: () => boolean): Promise<Scanned> {
  const { Tensor } = await import('onnxruntime-node')
  const length = request.dims.reduce((product, dim) => product * dim, 1)
  const feeds: Record<string, Tensor> = await toTensors(request.feeds)
  const values: number[] = []
  for (let at = 0; at + length <= request.steps.length; at += length) {
    if (isCancelled()) throw new Error('cancelled')
    feeds[request.input] = new Tensor('float32', request.steps.subarray(at, at + length), request.dims)
    const outputs = await session.run(feeds)
    for (const value of outputs[request.collect]!.data as Float32Array) values.push(value)
    for (const [output, input] of Object.entries(request.carry)) feeds[input] = outputs[output] as Tensor
  }
  const carried: Record<string, Tensor> = {}
  for (const input of Object.values(request.carry)) carried[input] = feeds[input]!
  return { values: Float32Array.from(values), carried: fromTensors(carried) }
}
