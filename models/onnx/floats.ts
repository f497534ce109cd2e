import type { Tensor } from 'onnxruntime-node'

// The numbers of a tensor as 32-bit ones; models with 16-bit weights may give 16-bit numbers.
export function floats(tensor: Pick<Tensor, 'data' | 'type'>): Float32Array {
  const { data } = tensor
  if (data instanceof Float32Array) return data
  if (data instanceof Uint16Array) return Float32Array.from(data, halfToFloat)
  if (tensor.type === 'float16') return Float32Array.from(data as unknown as ArrayLike<number>) // a Float16Array
  throw new Error(`the model gives ${tensor.type} where numbers with a fraction are due`)
}

export function halfToFloat(half: number): number {
  const sign = half & 0x8000 ? -1 : 1
  const exponent = (half >> 10) & 0x1f
  const fraction = half & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}
