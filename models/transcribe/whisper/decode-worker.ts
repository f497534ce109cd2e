import type { InferenceSession, Tensor } from 'onnxruntime-node'
import { createSession } from '../../onnx/create-session.ts'
import { insideGuard } from '../../onnx/exit-guard.ts'
import { marks, serveThread } from '../../onnx/serve-thread.ts'
import { Decoder } from './decoder.ts'
import type { Hearing, WhisperJob } from './messages.ts'
import { writeWindows } from './write-windows.ts'

// Encoder and decoder in one thread: what one hands the other, and the memory of every step, stays here.

let encoder: InferenceSession | undefined
let decoder: Decoder | undefined

serveThread<WhisperJob>({
  async work(job, isCancelled) {
    if (job.kind === 'open') return open(job)
    if (!encoder || !decoder) throw new Error('the model is not open')
    const hidden = await encode(encoder, job.hearing)
    if (job.kind === 'write') return writeWindows(decoder, hidden, job.writing, isCancelled)
    const { logits, width } = await decoder.begin(hidden, [job.start])
    return job.languages.map(token => logits[width - decoder!.vocabulary + token])
  },
  async close() {
    await encoder?.release()
    await decoder?.release()
  },
})

async function open(job: WhisperJob & { kind: 'open' }) {
  const create = (model: string) => createSession({ ...job, model }, marks)
  const first = await create(job.encoder)
  encoder = first.session
  const main = await create(job.decoder)
  const next = job.decoderWithPast ? await create(job.decoderWithPast) : undefined
  decoder = new Decoder(main.session, next?.session, job.shape, marks)
  return { ...main.opened, encoder: first.opened.provider }
}

async function encode(session: InferenceSession, { features, dims }: Hearing): Promise<Tensor> {
  const { Tensor } = await import('onnxruntime-node')
  const outputs = await insideGuard(marks, () => session.run({ input_features: new Tensor('float32', features, dims) }))
  return outputs.last_hidden_state as Tensor
}
