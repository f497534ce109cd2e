import { BackendError } from '../../core/errors.ts'
import type { StoredVectors } from '../../core/services.ts'

export interface Neighbour {
  key: number
  score: number
}

// Keeps the k best of what is offered; equal scores go to the lower key, so the result never depends on the order.
export function nearestHeap(k: number) {
  const heap: Neighbour[] = [] // the worst on top
  const worse = (a: Neighbour, b: Neighbour) => a.score < b.score || (a.score === b.score && a.key > b.key)

  const sink = () => {
    for (let at = 0; ; ) {
      let child = 2 * at + 1
      if (child >= heap.length) return
      if (child + 1 < heap.length && worse(heap[child + 1]!, heap[child]!)) child++
      if (!worse(heap[child]!, heap[at]!)) return
      ;[heap[at], heap[child]] = [heap[child]!, heap[at]!]
      at = child
    }
  }

  const rise = () => {
    for (let at = heap.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!worse(heap[at]!, heap[parent]!)) return
      ;[heap[at], heap[parent]] = [heap[parent]!, heap[at]!]
      at = parent
    }
  }

  return {
    // A score below this one cannot enter.
    floor: () => (heap.length < k ? Number.NEGATIVE_INFINITY : (heap[0]?.score ?? Number.POSITIVE_INFINITY)),
    offer(key: number, score: number) {
      const candidate = { key, score }
      if (heap.length < k) {
        heap.push(candidate)
        rise()
      } else if (k > 0 && worse(heap[0]!, candidate)) {
        heap[0] = candidate
        sink()
      }
    },
    best: (): Neighbour[] => [...heap].sort((a, b) => b.score - a.score || a.key - b.key),
  }
}

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
