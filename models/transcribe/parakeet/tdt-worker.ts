import type { InferenceSession, Tensor } from 'onnxruntime-node'
import { sumNodes } from '../../onnx/count-ops-by-provider.ts'
import { type Created, createSession, type RunnableSession } from '../../onnx/create-session.ts'
import { marks, serveThread } from '../../onnx/serve-thread.ts'
import { tensorFloats, toTensors } from '../../onnx/tensors.ts'
import { type Joint, writeTokens } from './greedy.ts'
import type { ParakeetJob, ParakeetOpened, SaidToken } from './messages.ts'

// Encoder and decoder in one thread: the state of the decoder, which changes with every token, stays here.

let encoder: Created | undefined
let decoder: Created | undefined
let blank = 0

serveThread<ParakeetJob>({
  async work(job, isCancelled) {
    if (job.kind === 'open') return open(job)
    if (!encoder || !decoder) throw new Error('the model is not open')
    if (job.kind === 'ran') return sumNodes(await Promise.all([encoder.ran(), decoder.ran()]))
    const heard = await encode(encoder, job)
    const tokenLists: SaidToken[][] = []
    for (const [row, frames] of heard.lengths.entries())
      tokenLists.push(await writeTokens(frames, blank, await jointFor(decoder, heard.outputs, row), isCancelled))
    return tokenLists
  },
  async close() {
    for (const session of [encoder, decoder]) await session?.close()
  },
})

async function open(job: ParakeetJob & { kind: 'open' }): Promise<ParakeetOpened> {
  encoder = await createSession({ ...job, model: job.encoder }, marks)
  decoder = await createSession({ ...job, model: job.decoder }, marks)
  blank = job.blank
  return { encoder: encoder.opened, decoder: decoder.opened }
}

async function encode(session: RunnableSession, { hearing, lengths }: ParakeetJob & { kind: 'write' }) {
  const length = { type: 'int64' as const, data: BigInt64Array.from(lengths, BigInt), dims: [lengths.length] }
  const { outputs, encoded_lengths } = await session.run(await toTensors({ audio_signal: hearing, length }))
  return {
    outputs: outputs as Tensor,
    lengths: Array.from((encoded_lengths as Tensor).data as ArrayLike<bigint | number>, Number),
  }
}

const states = ['states_1', 'states_2']

async function jointFor(decoder: RunnableSession, heard: Tensor, row: number): Promise<Joint> {
  const { Tensor } = await import('onnxruntime-node')
  const [, size = 0, frames = 0] = heard.dims
  const values = tensorFloats(heard).subarray(row * size * frames, (row + 1) * size * frames)
  let state = Object.fromEntries(
    states.map(name => {
      const [layers, , width] = inputDims(decoder.session, `input_${name}`)
      return [name, new Tensor('float32', new Float32Array(layers! * width!), [layers!, 1, width!])]
    }),
  )
  let next = state
  return {
    async scores(frame, after) {
      const column = Float32Array.from({ length: size }, (_, i) => values[i * frames + frame]!)
      const outputs = await decoder.run({
        encoder_outputs: new Tensor('float32', column, [1, size, 1]),
        targets: new Tensor('int32', [after], [1, 1]),
        target_length: new Tensor('int32', [1], [1]),
        ...Object.fromEntries(states.map(name => [`input_${name}`, state[name]!])),
      })
      next = Object.fromEntries(states.map(name => [name, outputs[`output_${name}`] as (typeof state)[string]]))
      return tensorFloats(outputs.outputs as Tensor)
    },
    take() {
      state = next
    },
  }
}

function inputDims(session: InferenceSession, input: string): number[] {
  const about = session.inputMetadata[session.inputNames.indexOf(input)]
  const dims = about?.isTensor ? about.shape.map(Number) : []
  if (dims.length !== 3 || !dims[0] || !dims[2]) throw new Error(`the decoder has no input ${input} of a known size`)
  return dims
}
