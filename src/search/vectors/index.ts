import { BackendError } from '../../core/errors.ts'
import { howToBuild, isBuilt } from '../../core/native-packages.ts'
import type { VectorIndex } from '../../core/services.ts'
import * as exact from './exact.ts'
import * as hnsw from './hnsw.ts'

// A vector index whose vectors can be read back, for "more like this one".
export interface StoredVectors extends VectorIndex {
  vector(key: number): Float32Array | undefined
}

export interface VectorIndexKind {
  summary: string
  create(dimensions: number, capacity: number): Promise<StoredVectors> // it grows past the capacity, only slower
  open(file: string, dimensions: number): Promise<StoredVectors>
}

// Ways to find the nearest of many unit vectors. "exact" misses nothing and is fast up to some ten thousand; "hnsw" is for more.
export const vectorIndexes = { exact, hnsw } satisfies Record<string, VectorIndexKind>

// Nothing stands in for a way that was asked for.
export function refuseMissing(kind: keyof typeof vectorIndexes): void {
  if (kind === 'hnsw' && !isBuilt('hnswlib-node'))
    throw new BackendError('index.vectors is "hnsw", and the package hnswlib-node is not installed.', {
      hint: `Leave the setting out, or run: ${howToBuild('hnswlib-node')}`,
    })
}
