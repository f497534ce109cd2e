import type { StoredVectors } from '../../core/services.ts'
import * as exact from './exact.ts'
import * as hnsw from './hnsw.ts'

export interface VectorIndexKind {
  summary: string
  create(dimensions: number, capacity: number): Promise<StoredVectors> // it grows past the capacity, only slower
  open(file: string, dimensions: number): Promise<StoredVectors>
}

// Ways to find the nearest of many unit vectors. "exact" misses nothing and is fast up to some ten thousand; "hnsw" is for more.
export const vectorIndexes = { exact, hnsw } satisfies Record<string, VectorIndexKind>
