import { mean } from './clusters.ts'

// Undefined (null) where one side is the same throughout, and below two pairs.
export function pearson(a: readonly number[], b: readonly number[]): number | null {
  if (a.length !== b.length) throw new RangeError(`A correlation needs pairs, not ${a.length} and ${b.length} values.`)
  if (a.length < 2 || isConstant(a) || isConstant(b)) return null
  const [centreA, centreB] = [mean(a), mean(b)]
  let both = 0
  let squaresA = 0
  let squaresB = 0
  for (const [i, value] of a.entries()) {
    const [offA, offB] = [value - centreA, (b[i] ?? 0) - centreB]
    both += offA * offB
    squaresA += offA * offA
    squaresB += offB * offB
  }
  return Math.max(-1, Math.min(1, both / Math.sqrt(squaresA * squaresB)))
}

export function spearman(a: readonly number[], b: readonly number[]): number | null {
  return pearson(ranks(a), ranks(b))
}

// From 1; equal values share the mean of their places.
export function ranks(values: readonly number[]): number[] {
  const sorted = [...values.keys()].sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
  const ranked: number[] = new Array(values.length)
  for (let first = 0; first < sorted.length; ) {
    let next = first + 1
    while (next < sorted.length && values[sorted[next] ?? 0] === values[sorted[first] ?? 0]) next++
    for (const position of sorted.slice(first, next)) ranked[position] = (first + 1 + next) / 2
    first = next
  }
  return ranked
}

function isConstant(values: readonly number[]): boolean {
  return values.every(value => value === values[0])
}
