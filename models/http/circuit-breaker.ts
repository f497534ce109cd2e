import type { Host } from '../../src/core/backend.ts'
import type { Limits } from './limits.ts'
import type { ServerError } from './server-error.ts'

// Leaves a server alone for a while after it has failed many times in a row; then lets one call through to try it.
export class CircuitBreaker {
  failures = 0
  last?: ServerError
  #openUntil = 0 // seconds of performance.now()
  #trial = false

  // Seconds until the next call may go through; 0: go.
  wait(): number {
    if (this.#openUntil === 0) return 0
    const seconds = this.#openUntil - performance.now() / 1000
    if (seconds > 0) return seconds
    if (this.#trial) return 1
    this.#trial = true
    return 0
  }

  succeeded(): void {
    this.failures = 0
    this.last = undefined
    this.#openUntil = 0
    this.#trial = false
  }

  failed(error: ServerError, limits: Limits): void {
    this.failures++
    this.last = error
    this.#trial = false
    if (this.failures >= limits.breakerFailures) this.#openUntil = performance.now() / 1000 + limits.breakerSeconds
  }

  // The call was stopped from outside and says nothing of the server.
  abandoned(): void {
    this.#trial = false
  }
}

const breakers = new WeakMap<Host, Map<string, CircuitBreaker>>()

// One for each server and run: backends that were opened with the same host share what they learn of a server.
export function sharedBreaker(host: Host, server: string): CircuitBreaker {
  const known = breakers.get(host) ?? new Map<string, CircuitBreaker>()
  breakers.set(host, known)
  const breaker = known.get(server) ?? new CircuitBreaker()
  known.set(server, breaker)
  return breaker
}
