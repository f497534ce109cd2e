import { BackendError } from '../../core/errors.ts'
import { howToBuild, isBuilt } from '../../core/machine/native-packages.ts'
import { exactVectors } from './exact.ts'
import { hnswVectors } from './hnsw.ts'
import type { VectorIndexKind } from './nearest.ts'

// Ways to find the nearest of many unit vectors. "exact" misses nothing and is fast up to some ten thousand; "hnsw" is for more.
export const vectorIndexes = { exact: exactVectors, hnsw: hnswVectors } satisfies Record<string, VectorIndexKind>

// Nothing stands in for a way that was asked for.
export function refuseMissing(kind: keyof typeof vectorIndexes): void {
  if (kind === 'hnsw' && !isBuilt('hnswlib-node'))
    throw new BackendError('index.vectors is "hnsw", and the package hnswlib-node is not installed.', {
      hint: `Leave the setting out, or run: ${howToBuild('hnswlib-node')}`,
    })
}
