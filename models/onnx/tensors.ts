import type { InferenceSession, Tensor } from 'onnxruntime-node'
import type { Feeds, OnnxTensor, TensorData } from './messages.ts'

// Plain data that can go from thread to thread, as ONNX Runtime's tensors.
export async function toTensors(feeds: Feeds): Promise<Record<string, Tensor>> {
  const { Tensor } = await import('onnxruntime-node')
  return Object.fromEntries(
    Object.entries(feeds).map(([name, value]) => [name, new Tensor(value.type, value.data as never, value.dims)]),
  )
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
