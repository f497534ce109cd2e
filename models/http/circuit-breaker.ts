import type { Host } from '../../src/core/backend.ts'
import type { RequestLimits } from './limits.ts'
import type { ServerError } from './server-error.ts'

// Stops calls to a server for a while after many failures in a row; then lets one trial call through.
export class CircuitBreaker {
  failures = 0
  last?: ServerError
  #openUntil = 0 // seconds of performance.now()
  #trial = false

  // Seconds until the next call may go through; 0: now.
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

  failed(error: ServerError, limits: RequestLimits): void {
    this.failures++
    this.last = error
    this.#trial = false
    if (this.failures >= limits.breakerFailures) this.#openUntil = performance.now() / 1000 + limits.breakerSeconds
  }

  // The call was aborted and says nothing about the server.
  abandoned(): void {
    this.#trial = false
  }
}

const breakers = new WeakMap<Host, Map<string, CircuitBreaker>>()

// One breaker for each server and run: backends opened with the same host share it.
export function sharedBreaker(host: Host, server: string): CircuitBreaker {
  const byServer = breakers.get(host) ?? new Map<string, CircuitBreaker>()
  breakers.set(host, byServer)
  const breaker = byServer.get(server) ?? new CircuitBreaker()
  byServer.set(server, breaker)
  return breaker
}
