import type { InferenceSession, Tensor } from 'onnxruntime-node'
import { type Created, createSession } from './create-session.ts'
import { insideGuard } from './exit-guard.ts'
import type { Feeds, Job, Scan, Scanned } from './messages.ts'
import { marks, serveThread } from './serve-thread.ts'
import { fromTensors, toTensors } from './tensors.ts'

// One ONNX session in a thread of its own: ONNX Runtime blocks the thread that calls it, although its API is asynchronous.

let created: Created | undefined

serveThread<Job>({
  async work(job, isCancelled) {
    if (job.kind === 'open') {
      created = await createSession(job, marks)
      return created.opened
    }
    if (!created) throw new Error('the session is not open')
    const { session, ran } = created
    if (job.kind === 'ran') return ran()
    return job.kind === 'run' ? run(session, job.feeds) : scan(session, job.scan, isCancelled)
  },
  close: async () => created?.session.release(),
})

async function run(session: InferenceSession, feeds: Feeds): Promise<Feeds> {
  const inputs = await toTensors(feeds)
  return fromTensors(await insideGuard(marks, () => session.run(inputs)))
}

async function scan(session: InferenceSession, request: Scan, isCancelled: () => boolean): Promise<Scanned> {
  const { Tensor } = await import('onnxruntime-node')
  const length = request.dims.reduce((product, dim) => product * dim, 1)
  const feeds: Record<string, Tensor> = await toTensors(request.feeds)
  const values: number[] = []
  for (let at = 0; at + length <= request.steps.length; at += length) {
    if (isCancelled()) throw new Error('cancelled')
    feeds[request.input] = new Tensor('float32', request.steps.subarray(at, at + length), request.dims)
    const outputs = await insideGuard(marks, () => session.run(feeds))
    for (const value of outputs[request.collect]!.data as Float32Array) values.push(value)
    for (const [output, input] of Object.entries(request.carry)) feeds[input] = outputs[output] as Tensor
  }
  const carried: Record<string, Tensor> = {}
  for (const input of Object.values(request.carry)) carried[input] = feeds[input]!
  return { values: Float32Array.from(values), carried: fromTensors(carried) }
}
