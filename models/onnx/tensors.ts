import type { InferenceSession, Tensor } from 'onnxruntime-node'
import { fromFloat16 } from '../../src/core/basics/numbers.ts'
import type { Feeds, OnnxTensor, TensorData } from './messages.ts'

// Converts plain data, which can be sent between threads, to tensors of ONNX Runtime.
export async function toTensors(feeds: Feeds): Promise<Record<string, Tensor>> {
  const { Tensor } = await import('onnxruntime-node')
  return Object.fromEntries(
    Object.entries(feeds).map(([name, value]) => [name, new Tensor(value.type, value.data as never, value.dims)]),
  )
}

// One tensor of parts of equal size; `dims` are those of one part.
export function stack(parts: readonly Float32Array[], dims: number[]): OnnxTensor {
  const size = dims.reduce((product, dim) => product * dim, 1)
  const data = new Float32Array(parts.length * size)
  for (const [i, part] of parts.entries()) data.set(part, i * size)
  return { type: 'float32', data, dims: [parts.length, ...dims] }
}

// The data is copied: what ONNX Runtime owns must not be handed to another thread.
export function fromTensors(values: InferenceSession.ReturnType | Record<string, Tensor>): Feeds {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const tensor = value as Tensor
      const copy = (tensor.data as TensorData).slice()
      return [name, { type: tensor.type as OnnxTensor['type'], data: copy, dims: [...tensor.dims] }]
    }),
  )
}

// The numbers of a tensor as 32-bit ones; models with 16-bit weights may give 16-bit numbers.
export function tensorFloats({ data, type }: Pick<Tensor, 'data' | 'type'>): Float32Array {
  if (data instanceof Float32Array) return data
  if (data instanceof Uint16Array) return fromFloat16(data)
  if (type === 'float16') return Float32Array.from(data as unknown as ArrayLike<number>) // a Float16Array
  throw new Error(`the model gives ${type} where numbers with a fraction are due`)
}
