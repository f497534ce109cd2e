import * as exact from './exact.ts'
import * as hnsw from './hnsw.ts'
import type { VectorIndexKind } from './vector.ts'

// Ways to find the nearest of many unit vectors. "exact" misses nothing and is fast up to some ten thousand; "hnsw" is for more.
export const vectorIndexes = { exact, hnsw } satisfies Record<string, VectorIndexKind>
