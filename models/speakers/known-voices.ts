import type { Diarised } from '../sherpa/messages.ts'

type Voice = Diarised['voices'][number]

// The speakers of the blocks so far, each by the sum of its vectors. Speakers of one block were told apart and stay so, unless
// no more than `most` may be.
export class KnownVoices {
  readonly #threshold: number
  readonly #most: number
  readonly #sums: Float32Array[] = []

  constructor(threshold: number, most = Number.POSITIVE_INFINITY) {
    this.#threshold = threshold
    this.#most = most
  }

  // The number of each speaker of a block, over all blocks. Those who speak longest choose first.
  name(voices: readonly Voice[]): Map<number, number> {
    const named = new Map<number, number>()
    const before = this.#sums.length
    for (const { speaker, vector } of [...voices].sort((a, b) => b.seconds - a.seconds)) {
      const usedNumbers = new Set(named.values())
      const near = this.#sums
        .map((sum, number) => ({ number, likeness: cosine(sum, vector) }))
        .sort((a, b) => b.likeness - a.likeness)
      const free = near.find(({ number }) => number < before && !usedNumbers.has(number))
      const isFull = this.#sums.length >= this.#most
      const match = free && (isFull || free.likeness >= 1 - this.#threshold) ? free : isFull ? near[0] : undefined
      const number = match?.number ?? this.#sums.push(new Float32Array(vector.length)) - 1
      named.set(speaker, number)
      const sum = this.#sums[number]
      const length = Math.hypot(...vector) || 1
      vector.forEach((value, at) => {
        if (sum) sum[at] = (sum[at] ?? 0) + value / length
      })
    }
    return named
  }
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [both, first, second] = [0, 0, 0]
  for (const [at, value] of a.entries()) {
    const other = b[at] ?? 0
    both += value * other
    first += value * value
    second += other * other
  }
  return both / (Math.sqrt(first * second) || 1)
}
