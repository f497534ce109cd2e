import type { InferenceSession, Tensor } from 'onnxruntime-node'
import type { RunnableSession } from '../../onnx/create-session.ts'
import { tensorFloats } from '../../onnx/tensors.ts'

export interface DecoderStep {
  logits: Float32Array // of every position that was put in
  width: number // numbers of logits of one window
  vocabulary: number // numbers of logits of one position
  attention: Map<number, { data: Float32Array; dims: readonly number[] }> // by layer, where the model gives it
}

interface Parts {
  first: RunnableSession
  next: RunnableSession | undefined
  shape: { layers: number; heads: number; size: number }
}

// A decoder that remembers what it has written: one merged file with a switch, or one for the first step and one for the
// others, as the hub has them.
export class Decoder {
  readonly #parts: Parts
  #past: Record<string, Tensor> = {}
  #hidden: Tensor | undefined
  #written = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  // Puts the same prompt before every window.
  async begin(hidden: Tensor, prompt: readonly number[]): Promise<DecoderStep> {
    this.#hidden = hidden
    this.#past = {}
    this.#written = 0
    return this.#run(Array.from({ length: hidden.dims[0]! }, () => [...prompt]))
  }

  // One more token for every window.
  next(tokens: readonly number[]): Promise<DecoderStep> {
    return this.#run(tokens.map(token => [token]))
  }

  // Goes on with these rows of the last step, each as often as it is named. With one row all begin from the same sound; later a row
  // goes on only with rows of its own window, so that the keys and values of the sound stay where they are.
  async select(rows: readonly number[]): Promise<void> {
    const { Tensor } = await import('onnxruntime-node')
    const same = this.#hidden?.dims[0] === rows.length
    if (same && rows.every((row, i) => row === i)) return
    for (const [name, past] of Object.entries(this.#past))
      if (!same || !name.includes('.encoder.')) this.#past[name] = takeRows(Tensor, past, rows)
    if (!same) this.#hidden = takeRows(Tensor, this.#hidden as Tensor, rows)
  }

  async #run(rows: number[][]): Promise<DecoderStep> {
    const { first, next, shape } = this.#parts
    const used = this.#written > 0 && next ? next : first
    const outputs = await used.run(await this.#feeds(used.session, rows))
    this.#keep(outputs)
    this.#written += rows[0]!.length
    const logits = outputs.logits as Tensor
    const [, positions = 0, vocabulary = 0] = logits.dims
    const attention: DecoderStep['attention'] = new Map()
    for (let layer = 0; layer < shape.layers; layer++) {
      const weights = outputs[`cross_attentions.${layer}`] as Tensor | undefined
      if (weights) attention.set(layer, { data: tensorFloats(weights), dims: weights.dims })
    }
    return { logits: tensorFloats(logits), width: positions * vocabulary, vocabulary, attention }
  }

  async #feeds(session: InferenceSession, rows: number[][]): Promise<Record<string, Tensor>> {
    const { Tensor } = await import('onnxruntime-node')
    const { heads, size } = this.#parts.shape
    const feeds: Record<string, Tensor> = {}
    for (const name of session.inputNames) {
      if (name === 'input_ids') {
        const ids = BigInt64Array.from(rows.flat(), BigInt)
        feeds[name] = new Tensor('int64', ids, [rows.length, rows[0]!.length])
      } else if (name === 'encoder_hidden_states') feeds[name] = this.#hidden as Tensor
      else if (name === 'use_cache_branch') feeds[name] = new Tensor('bool', [this.#written > 0], [1])
      else if (name === 'cache_position') {
        const places = BigInt64Array.from(rows[0]!, (_, i) => BigInt(this.#written + i))
        feeds[name] = new Tensor('int64', places, [places.length])
      } else if (this.#past[name]) feeds[name] = this.#past[name]
      else if (name.startsWith('past_key_values.'))
        feeds[name] = empty(Tensor, session, name, [rows.length, heads, 0, size / heads])
    }
    return feeds
  }

  // The keys and values of the sound come with the first step; later a merged file gives empty ones in their place.
  #keep(outputs: InferenceSession.ReturnType): void {
    for (const [name, value] of Object.entries(outputs)) {
      if (!name.startsWith('present')) continue
      const past = name.replace('present', 'past_key_values')
      if (name.includes('.encoder.') && this.#past[past]) continue
      this.#past[past] = value as Tensor
    }
  }
}

function takeRows(TensorOf: typeof Tensor, { type, data, dims }: Tensor, rows: readonly number[]): Tensor {
  const values = data as Float32Array
  const length = values.length / dims[0]!
  const selectedRows = new (values.constructor as Float32ArrayConstructor)(length * rows.length)
  rows.forEach((row, i) => {
    selectedRows.set(values.subarray(row * length, (row + 1) * length), i * length)
  })
  return new TensorOf(type as 'float32', selectedRows, [rows.length, ...dims.slice(1)])
}

function empty(TensorOf: typeof Tensor, session: InferenceSession, name: string, dims: number[]): Tensor {
  const at = session.inputNames.indexOf(name)
  const about = session.inputMetadata[at]
  const half = about?.isTensor && about.type === 'float16'
  return half ? new TensorOf('float16', new Uint16Array(), dims) : new TensorOf('float32', new Float32Array(), dims)
}
