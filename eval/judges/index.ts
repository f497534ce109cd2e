import { UsageError } from '../../src/core/errors.ts'
import type { Protocol } from './protocol.ts'

// How the benchmarks with open answers judge them, one line each. The others need no judge.
const protocols: Record<string, () => Promise<{ default: Protocol }>> = {
  'cg-bench': () => import('./cg-bench.ts'),
  'videoeval-pro': () => import('./videoeval-pro.ts'),
  infinibench: () => import('./infinibench.ts'),
  longshot: () => import('./longshot.ts'),
}

export async function protocolOf(benchmark: string): Promise<Protocol | undefined> {
  return Object.hasOwn(protocols, benchmark) ? (await protocols[benchmark]()).default : undefined
}

// The wording that a person supplies, checked, and whether it is the released one byte for byte.
export async function checkedWording(benchmark: string, text: string, place: string): Promise<{ released: boolean }> {
  const protocol = await protocolOf(benchmark)
  if (!protocol)
    throw new UsageError(`${benchmark} has no judge, so --wording ${place} has no use.`, { hint: 'Leave it out.' })
  return protocol.checkWording(text, place)
}
