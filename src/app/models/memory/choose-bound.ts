import { totalmem } from 'node:os'
import { UsageError } from '../../../core/errors.ts'
import { type MemoryBound, megabytesIn } from '../../../core/machine/memory.ts'

const least = 150 // MB: what asking about a finished index takes, with room to spare
const share = 0.9 // of a container's memory; the system counts pages of files there too

// The bound that the setting states, or that the container of this process does; undefined where there is none.
export function chooseBound(
  setting: string,
  constrained = process.constrainedMemory(),
  machine = totalmem(),
): MemoryBound | undefined {
  if (setting !== 'auto') {
    const megabytes = megabytesIn(setting) as number // its schema has seen to that
    if (megabytes >= least) return { megabytes, from: 'setting' }
    throw new UsageError(`limits.memory is ${setting}, and longtake itself takes more.`, {
      hint: `Give it at least ${least}MB; indexing says what it needs.`,
    })
  }
  const isBound = constrained > 0 && constrained < machine
  return isBound ? { megabytes: Math.max(least, (constrained / 1e6) * share), from: 'container' } : undefined
}
