import { open as openFile, stat } from 'node:fs/promises'
import type { HierarchicalNSW } from 'hnswlib-node'
import { StorageError } from '../../core/errors.ts'
import type { StoredVectors } from '../../core/services.ts'
import { fileModes } from '../../store/durable.ts'
import { onDisk } from '../../store/storage-error.ts'
import { checkVector, type Neighbour, nearestHeap } from './nearest.ts'

const summary = 'a graph of neighbours (HNSW): under 1 ms for 100,000 vectors; now and then it misses one'

// Links a vector, and how many candidates are kept while building and while searching.
const settings = { links: 16, efConstruction: 200, efSearch: 128 }

async function create(dimensions: number, capacity: number): Promise<StoredVectors> {
  const graph = await emptyGraph(dimensions)
  graph.initIndex({ maxElements: Math.max(1, capacity), m: settings.links, efConstruction: settings.efConstruction })
  return hnswIndex(graph, dimensions)
}

async function open(file: string, dimensions: number): Promise<StoredVectors> {
  const storedSize = await onDisk(`read ${file}`, () => storedDimensions(file))
  if (storedSize !== dimensions)
    throw new StorageError(`${file} holds vectors of ${storedSize} numbers, not of ${dimensions}.`, {
      hint: 'Index the video again.',
    })
  const graph = await emptyGraph(dimensions)
  await load(graph, file)
  return hnswIndex(graph, dimensions)
}

// The library takes lists of numbers only, and inner product as distance: 1 - likeness for unit vectors.
function hnswIndex(graph: HierarchicalNSW, dimensions: number): StoredVectors {
  const keys = new Set(graph.getIdsList())
  return {
    dimensions,
    get size() {
      return keys.size
    },
    add(key, vector) {
      checkVector(vector, dimensions)
      if (!keys.has(key) && keys.size >= graph.getMaxElements()) graph.resizeIndex(keys.size * 2)
      graph.addPoint(Array.from(vector), key)
      keys.add(key)
    },
    vector(key) {
      return keys.has(key) ? Float32Array.from(graph.getPoint(key)) : undefined
    },
    search(vector, k, accept) {
      checkVector(vector, dimensions)
      const count = Math.min(k, keys.size)
      if (count <= 0) return []
      const few = accept && acceptedFew(keys, accept)
      if (few) return findNearest(few, vector, k, key => graph.getPoint(key))
      // With a filter the walk may end among refused vectors: it looks wider until it has k, or has seen all.
      for (let ef = Math.max(settings.efSearch, count); ; ef *= 4) {
        graph.setEf(ef)
        const { neighbors, distances } = graph.searchKnn(Array.from(vector), count, accept)
        if (neighbors.length < count && ef < keys.size) continue
        return neighbors
          .map((key, i) => ({ key, score: 1 - distances[i]! }))
          .sort((a, b) => b.score - a.score || a.key - b.key)
      }
    },
    async save(file) {
      await onDisk(`write ${file}`, async () => {
        if (graph.getMaxElements() > keys.size) graph.resizeIndex(Math.max(1, keys.size))
        await (await openFile(file, 'w', fileModes.private)).close() // the library would make it with the umask
        await graph.writeIndex(file)
        // The library does not notice a full disk: only reading the file back shows that it is whole.
        await load(await emptyGraph(dimensions), file)
      })
    },
  }
}

// So few that it is faster and surer to look at each of them than to walk the graph in search of them.
const fewVectors = 300

function acceptedFew(keys: Iterable<number>, accept: (key: number) => boolean): number[] | undefined {
  const accepted: number[] = []
  for (const key of keys) {
    if (accept(key)) accepted.push(key)
    if (accepted.length > fewVectors) return undefined
  }
  return accepted
}

function findNearest(keys: number[], query: Float32Array, k: number, vectorOf: (key: number) => number[]): Neighbour[] {
  const heap = nearestHeap(k)
  for (const key of keys) {
    const vector = vectorOf(key)
    let score = 0
    for (let i = 0; i < query.length; i++) score += query[i]! * vector[i]!
    heap.offer(key, score)
  }
  return heap.best()
}

async function emptyGraph(dimensions: number): Promise<HierarchicalNSW> {
  const { default: library } = await import('hnswlib-node')
  return new library.HierarchicalNSW('ip', dimensions)
}

async function load(graph: HierarchicalNSW, file: string): Promise<void> {
  try {
    await graph.readIndex(file)
  } catch (error) {
    const { size } = await stat(file)
    throw new StorageError(`${file} (${size} bytes) is not a complete vector index.`, {
      hint: 'Free some space if the disk is full, and index the video again.',
      cause: error,
    })
  }
}

// In the file's head, the fifth 8-byte number is the offset of an element's label and the sixth that of its vector;
// the label follows the vector.
async function storedDimensions(file: string): Promise<number> {
  await using handle = await openFile(file, 'r')
  const header = Buffer.alloc(48)
  const { bytesRead } = await handle.read(header, 0, 48, 0)
  return bytesRead < 48 ? 0 : Number(header.readBigUInt64LE(32) - header.readBigUInt64LE(40)) / 4
}

export const hnswVectors = { summary, create, open }
