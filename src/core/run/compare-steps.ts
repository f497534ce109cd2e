import type { divergenceKinds } from '../api/compare.ts'
import { stableJson } from '../json.ts'

// What two runs are compared by: a node of the graph, or one call of a tool in it.
export interface ComparedStep {
  node?: string
  tool?: string
  input?: unknown
  outcome?: string
  evidence: readonly string[] // ids of the rows that came back, in their order
  text?: string // what a tool said where it gave no row
}

// The first pair of steps that is not equal.
export interface Divergence {
  at: number // place in both lists, from 0
  kind: (typeof divergenceKinds)[number]
  ended?: 'a' | 'b' // the one that has no step there
}

// Places in the two lists that stand side by side; only one side if the other has nothing like it.
interface StepPair {
  a?: number
  b?: number
  same: boolean
}

// Walks two lists together to the first difference; what follows is aligned by its longest common subsequence.
export function compareSteps(
  a: readonly ComparedStep[],
  b: readonly ComparedStep[],
): { divergence?: Divergence; pairs: StepPair[] } {
  const [keysA, keysB] = [a.map(buildKey), b.map(buildKey)]
  let at = 0
  while (at < keysA.length && at < keysB.length && keysA[at] === keysB[at]) at++
  const common = Array.from({ length: at }, (_, place): StepPair => ({ a: place, b: place, same: true }))
  if (at === a.length && at === b.length) return { pairs: common }
  return { divergence: divergenceAt(at, a[at], b[at]), pairs: [...common, ...aligned(keysA, keysB, at)] }
}

function divergenceAt(at: number, a: ComparedStep | undefined, b: ComparedStep | undefined): Divergence {
  if (!a || !b) return { at, kind: 'ended earlier', ended: a ? 'b' : 'a' }
  if (a.node !== b.node || a.tool !== b.tool) return { at, kind: 'other call' }
  return { at, kind: stableJson(a.input) === stableJson(b.input) ? 'other result' : 'other input' }
}

function buildKey({ node, tool, input, outcome, evidence, text }: ComparedStep): string {
  return stableJson([node, tool, input, outcome, evidence, evidence.length === 0 ? text : undefined])
}

// What lies between two common steps stands side by side in its order, as far as both sides have something there.
function aligned(a: readonly string[], b: readonly string[], from: number): StepPair[] {
  const pairs: StepPair[] = []
  let [nextA, nextB] = [from, from]
  const fill = (endA: number, endB: number) => {
    while (nextA < endA || nextB < endB)
      pairs.push({ ...(nextA < endA && { a: nextA++ }), ...(nextB < endB && { b: nextB++ }), same: false })
  }
  for (const [inA, inB] of commonSubsequence(a, b, from)) {
    fill(inA, inB)
    pairs.push({ a: nextA++, b: nextB++, same: true })
  }
  fill(a.length, b.length)
  return pairs
}

function commonSubsequence(a: readonly string[], b: readonly string[], from: number): [a: number, b: number][] {
  const width = b.length + 1
  const longest = new Uint32Array((a.length + 1) * width) // of what follows each pair of places
  const at = (inA: number, inB: number) => longest[inA * width + inB] ?? 0
  for (let inA = a.length - 1; inA >= from; inA--)
    for (let inB = b.length - 1; inB >= from; inB--)
      longest[inA * width + inB] =
        a[inA] === b[inB] ? at(inA + 1, inB + 1) + 1 : Math.max(at(inA + 1, inB), at(inA, inB + 1))
  const pairs: [number, number][] = []
  for (let inA = from, inB = from; inA < a.length && inB < b.length; ) {
    if (a[inA] === b[inB]) pairs.push([inA++, inB++])
    else if (at(inA + 1, inB) >= at(inA, inB + 1)) inA++
    else inB++
  }
  return pairs
}
