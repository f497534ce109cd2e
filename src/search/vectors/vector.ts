import { BackendError } from '../../core/errors.ts'
import type { StoredVectors } from '../../core/services.ts'

export interface VectorIndexKind {
  summary: string
  create(dimensions: number, capacity: number): Promise<StoredVectors> // it grows past the capacity, only slower
  open(file: string, dimensions: number): Promise<StoredVectors>
}

// A vector of another model, or one with holes in it, would make every score meaningless.
export function checkVector(vector: Float32Array, dimensions: number): void {
  if (vector.length !== dimensions)
    throw new BackendError(`A vector of ${vector.length} numbers does not fit an index of ${dimensions}.`, {
      hint: 'The encoder is not the one that made the index: index the video again.',
    })
  for (let i = 0; i < vector.length; i++) {
    if (!Number.isFinite(vector[i])) throw new BackendError(`A vector holds ${vector[i]} at place ${i}.`)
  }
}
