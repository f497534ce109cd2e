import { BackendError } from '../../src/core/errors.ts'

// Splits a matrix into row vectors, normalised to length one.
export function unitRows(data: Float32Array, width: number): Float32Array[] {
  return Array.from({ length: data.length / width }, (_, row) => {
    const vector = data.slice(row * width, (row + 1) * width)
    let power = 0
    for (const value of vector) power += value * value
    const length = Math.sqrt(power)
    if (!Number.isFinite(length) || length === 0)
      throw new BackendError('The model gave a vector without a direction.', {
        hint: 'Try another precision: 16-bit numbers can overflow.',
      })
    for (let i = 0; i < width; i++) vector[i]! /= length
    return vector
  })
}
