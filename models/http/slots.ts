import type { Host, Turn, Turns } from '../../src/core/backend.ts'
import type { Limits } from './limits.ts'
import { providerAt } from './presets.ts'
import { Semaphore } from './semaphore.ts'

// The places of one server: of this process, and where a cluster limits the server, of all who ask it.
export interface Slots {
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> // a call with all its attempts
  turn?: Turns['take'] // before each attempt
}

export function openSlots({ server, limits, host }: { server: string; limits: Limits; host: Host }): Slots {
  const semaphore = new Semaphore(limits.concurrency)
  const turns = host.turns?.({ address: server, provider: providerAt(server) })
  return {
    run: (signal, work) => semaphore.run(signal, work),
    ...(turns && { turn: (seconds, signal) => turns.take(seconds, signal) }),
  }
}

// What a reply says of itself: servers that embed, hear or rank say nothing.
export function endTurn(turn: Turn | undefined, reply: unknown): void {
  const usage = (reply as { usage?: Record<'inputTokens' | 'outputTokens', unknown> } | undefined)?.usage
  turn?.end({ tokens: (Number(usage?.inputTokens) || 0) + (Number(usage?.outputTokens) || 0) })
}
