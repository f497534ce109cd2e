import { isBuilt } from '../../src/core/machine/native-packages.ts'

// Why vectors cannot be tested with HNSW here; tests/contracts/vector-index.test.ts says it.
export const noHnsw = isBuilt('hnswlib-node') ? undefined : 'hnswlib-node is not installed'

export const vectorKinds: readonly ('exact' | 'hnsw')[] = noHnsw ? ['exact'] : ['exact', 'hnsw']
