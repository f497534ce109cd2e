import type { Tensor } from 'onnxruntime-node'
import { sumNodes } from '../../onnx/count-ops-by-provider.ts'
import { type Created, createSession, type RunnableSession } from '../../onnx/create-session.ts'
import type { OnnxTensor } from '../../onnx/messages.ts'
import { marks, serveThread } from '../../onnx/serve-thread.ts'
import { toTensors } from '../../onnx/tensors.ts'
import { searchBeams } from './beam-search.ts'
import { Decoder } from './decoder.ts'
import type { DecodedWindow, DecodeRequest, WhisperJob, WhisperOpened } from './messages.ts'
import { writeWindows } from './write-windows.ts'

// Encoder and decoder in one thread: what one hands the other, and the memory of every step, stays here.

let encoder: Created | undefined
const parts: Created[] = []
let decoder: Decoder | undefined

serveThread<WhisperJob>({
  async work(job, isCancelled) {
    if (job.kind === 'open') return open(job)
    if (!encoder || !decoder) throw new Error('the model is not open')
    if (job.kind === 'ran') return sumNodes(await Promise.all(parts.map(part => part.ran())))
    const hidden = await encode(encoder, job.hearing)
    if (job.kind === 'write') return write(decoder, hidden, job.writing, isCancelled)
    const { logits, width, vocabulary } = await decoder.begin(hidden, [job.start])
    return job.languages.map(token => logits[width - vocabulary + token])
  },
  async close() {
    for (const session of parts) await session.close()
  },
})

async function open(job: WhisperJob & { kind: 'open' }): Promise<WhisperOpened> {
  const create = async (model: string) => {
    const created = await createSession({ ...job, model }, marks)
    parts.push(created)
    return created
  }
  encoder = await create(job.encoder)
  const main = await create(job.decoder)
  const next = job.decoderWithPast ? await create(job.decoderWithPast) : undefined
  decoder = new Decoder({ first: main, next, shape: job.shape })
  return { encoder: encoder.opened, decoder: main.opened }
}

// Several beams need one window: more would not fit into memory beside each other.
async function write(
  decoder: Decoder,
  hidden: Tensor,
  writing: DecodeRequest,
  isCancelled: () => boolean,
): Promise<DecodedWindow[]> {
  const { beams = 1 } = writing
  if (beams > 1 && hidden.dims[0] === 1) return [await searchBeams(decoder, hidden, writing, beams, isCancelled)]
  return writeWindows(decoder, hidden, writing, isCancelled)
}

async function encode(session: RunnableSession, input_features: OnnxTensor): Promise<Tensor> {
  const outputs = await session.run(await toTensors({ input_features }))
  return outputs.last_hidden_state as Tensor
}
