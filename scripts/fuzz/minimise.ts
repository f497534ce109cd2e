import { type Finding, judge } from './judge.ts'
import type { Target } from './target.ts'

// A smaller input with the same finding: pieces are cut out, large ones first, as long as the finding stays.
export async function minimise(target: Target, input: Buffer, finding: Finding, seconds = 20): Promise<Buffer> {
  const until = performance.now() + seconds * 1000
  const same = async (candidate: Buffer) => {
    const verdict = await judge(target, candidate, finding.kind === 'crash' ? 100 : 0)
    return verdict.end === 'finding' && verdict.finding.kind === finding.kind && verdict.finding.place === finding.place
  }
  let smallest = input
  for (let length = Math.ceil(smallest.length / 2); length >= 1; length = Math.floor(length / 2)) {
    for (let at = 0; at < smallest.length && performance.now() < until; ) {
      const candidate = Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + length)])
      if (await same(candidate)) smallest = candidate
      else at += length
    }
  }
  return smallest
}
