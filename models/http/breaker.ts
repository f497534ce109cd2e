import type { Host } from '../../src/core/backend.ts'
import type { ServerFault } from './fault.ts'

// Leaves a server alone for a while after it has failed many times in a row; then lets one try through to see.
export interface Breaker {
  wait(): number // seconds until the next try may go through; 0: go
  passed(): void
  failed(fault: ServerFault, limits: { breakerFailures: number; breakerSeconds: number }): void
  left(): void // a try that was neither: it was stopped from outside
  failures: number
  last?: ServerFault
}

// One a server and run: backends that were opened with the same host share what they learn of a server.
export function breakerFor(host: Host, server: string): Breaker {
  const known = breakers.get(host) ?? new Map<string, Breaker>()
  breakers.set(host, known)
  const breaker = known.get(server) ?? openBreaker()
  known.set(server, breaker)
  return breaker
}

const breakers = new WeakMap<Host, Map<string, Breaker>>()

export function openBreaker(now = () => performance.now() / 1000): Breaker {
  let closedUntil = 0
  let trial: 'none' | 'running' = 'none'
  const breaker: Breaker = {
    failures: 0,
    wait() {
      if (closedUntil === 0) return 0
      const seconds = closedUntil - now()
      if (seconds > 0) return seconds
      if (trial === 'running') return 1
      trial = 'running'
      return 0
    },
    passed() {
      breaker.failures = 0
      breaker.last = undefined
      closedUntil = 0
      trial = 'none'
    },
    failed(fault, limits) {
      breaker.failures++
      breaker.last = fault
      trial = 'none'
      if (breaker.failures >= limits.breakerFailures) closedUntil = now() + limits.breakerSeconds
    },
    left() {
      trial = 'none'
    },
  }
  return breaker
}
