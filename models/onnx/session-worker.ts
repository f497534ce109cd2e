import { parentPort, workerData } from 'node:worker_threads'
import type { InferenceSession, Tensor } from 'onnxruntime-node'
import { insideGuard } from './exit-guard.ts'
import type { Feeds, Job, OnnxTensor, Opened, Reply, Request, Scan, Scanned, TensorData } from './messages.ts'

// One ONNX session in a thread of its own: ONNX Runtime blocks the thread that calls it, whatever its promises say.

const marks = workerData as Int32Array
let session: InferenceSession | undefined
const cancelled = new Set<number>()
const running = new Map<number, Promise<void>>()

parentPort?.on('message', (request: Request) => {
  if (request.kind === 'close') close()
  else if (request.kind === 'cancel') cancelled.add(request.id)
  else running.set(request.id, answer(request, request.id))
})

async function answer(job: Job, id: number): Promise<void> {
  let reply: Reply
  try {
    reply = { id, result: await work(job, () => cancelled.has(id)) }
  } catch (error) {
    reply = { id, error: error instanceof Error ? error.message : String(error) }
  }
  parentPort?.postMessage(reply, 'result' in reply ? buffersOf(reply.result) : [])
  running.delete(id)
  cancelled.delete(id)
}

// A thread that is stopped in the middle of a run takes the whole process with it, so it ends by itself.
async function close(): Promise<void> {
  for (const id of running.keys()) cancelled.add(id)
  await Promise.allSettled(running.values())
  await session?.release()
  parentPort?.close()
}

async function work(job: Job, isCancelled: () => boolean): Promise<unknown> {
  if (job.kind === 'open') return open(job)
  if (!session) throw new Error('the session is not open')
  return job.kind === 'run' ? run(session, job.feeds) : scan(session, job.scan, isCancelled)
}

async function open(job: Job & { kind: 'open' }): Promise<Opened> {
  const { InferenceSession, env } = await import('onnxruntime-node')
  env.logLevel = 'fatal'
  const refused: Opened['refused'] = []
  for (const provider of job.providers) {
    try {
      const options = { executionProviders: [provider], intraOpNumThreads: job.threads, interOpNumThreads: 1 }
      session = await insideGuard(marks, () => InferenceSession.create(job.model, options))
      return { provider, inputs: [...session.inputNames], outputs: [...session.outputNames], refused }
    } catch (error) {
      refused.push({ provider, reason: (error instanceof Error ? error.message : String(error)).split('\n')[0] })
    }
  }
  throw new Error(refused.map(entry => `${entry.provider}: ${entry.reason}`).join('; '))
}

async function run(session: InferenceSession, feeds: Feeds): Promise<Feeds> {
  const inputs = await tensors(feeds)
  return plain(await insideGuard(marks, () => session.run(inputs)))
}

async function scan(session: InferenceSession, request: Scan, isCancelled: () => boolean): Promise<Scanned> {
  const { Tensor } = await import('onnxruntime-node')
  const length = request.dims.reduce((product, dim) => product * dim, 1)
  const feeds: Record<string, Tensor> = await tensors(request.feeds)
  const values: number[] = []
  for (let at = 0; at + length <= request.steps.length; at += length) {
    if (isCancelled()) throw new Error('cancelled')
    feeds[request.input] = new Tensor('float32', request.steps.subarray(at, at + length), request.dims)
    const outputs = await insideGuard(marks, () => session.run(feeds))
    for (const value of outputs[request.collect].data as Float32Array) values.push(value)
    for (const [output, input] of Object.entries(request.carry)) feeds[input] = outputs[output] as Tensor
  }
  const kept = Object.values(request.carry).map(input => [input, feeds[input]] as const)
  return { values: Float32Array.from(values), carried: plain(Object.fromEntries(kept)) }
}

async function tensors(feeds: Feeds): Promise<Record<string, Tensor>> {
  const { Tensor } = await import('onnxruntime-node')
  return Object.fromEntries(
    Object.entries(feeds).map(([name, value]) => [name, new Tensor(value.type, value.data as never, value.dims)]),
  )
}

// The data is copied: what ONNX Runtime owns must not be handed to another thread.
function plain(values: InferenceSession.ReturnType | Record<string, Tensor>): Feeds {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const tensor = value as Tensor
      const copy = (tensor.data as TensorData).slice()
      return [name, { type: tensor.type as OnnxTensor['type'], data: copy, dims: [...tensor.dims] }]
    }),
  )
}

function buffersOf(value: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) return value.buffer instanceof ArrayBuffer ? [value.buffer] : []
  if (value && typeof value === 'object') return Object.values(value).flatMap(buffersOf)
  return []
}
