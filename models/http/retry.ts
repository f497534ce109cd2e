import { setTimeout as sleep } from 'node:timers/promises'
import type { Host, RequestTurn, RequestTurns } from '../../src/core/backend.ts'
import { linkSignals, untilAborted, withDeadline } from '../../src/core/basics/signals.ts'
import type { RequestLimits } from './limits.ts'
import { providerAt } from './presets.ts'
import { Semaphore } from './semaphore.ts'
import { afterTries, interruption, ServerError, throwIfStopped } from './server-error.ts'

export interface RetryAttempt {
  number: number // from 1
  signal: AbortSignal // of this attempt: the caller's, and the time limit
}

// Runs calls to one outside service: a concurrency limit, time limits, retries with exponential backoff and jitter, and
// a circuit breaker. Only a ServerError is retried; any other error is ours and goes up.
export interface Retries {
  run<T>(signal: AbortSignal, work: (attempt: RetryAttempt) => Promise<T>): Promise<T>
}

interface Service {
  name: string
  server: string
  limits: RequestLimits
  host: Host
}

export function openRetries(service: Service): Retries {
  const { host, server } = service
  const slots = openSlots(service)
  const breaker = sharedBreaker(host, server)
  return {
    async run(signal, work) {
      const stop = linkSignals(signal, host.signal)
      const call = { ...service, breaker, slots, stop: stop.signal }
      try {
        return await slots.run(stop.signal, () => retried(call, work))
      } catch (error) {
        throw stop.signal.aborted ? interruption(stop.signal) : error
      } finally {
        stop.clear()
      }
    },
  }
}

interface Call extends Service {
  breaker: CircuitBreaker
  slots: Slots
  stop: AbortSignal
}

async function retried<T>(call: Call, work: (attempt: RetryAttempt) => Promise<T>): Promise<T> {
  const { limits, breaker, slots, stop } = call
  let began = performance.now()
  const elapsed = () => (performance.now() - began) / 1000
  let garbled = 0
  for (let number = 1; ; number++) {
    throwIfStopped(stop)
    const open = breaker.wait()
    if (open > 0) throw skipped(call, open)
    const askedAt = performance.now()
    const turn = await slots.turn?.(limits.attemptSeconds, stop).catch(caught => {
      breaker.abandoned()
      throw caught
    })
    began += performance.now() - askedAt // a wait for others is not time of this call
    let error: ServerError
    try {
      const seconds = Math.min(limits.attemptSeconds, limits.totalSeconds - elapsed())
      const result = await attempted(call, number, seconds, work)
      breaker.succeeded()
      endTurn(turn, result)
      return result
    } catch (caught) {
      turn?.end(overload(caught))
      if (!stop.aborted && caught instanceof ServerError) error = caught
      else {
        breaker.abandoned()
        throw caught
      }
    }
    const { retry, unhealthy, waitSeconds = 0 } = error.details
    if (unhealthy) breaker.failed(error, limits)
    else breaker.succeeded()
    if (retry === 'once') garbled++
    const wait = Math.max(waitSeconds, backoff(number, limits.backoffSeconds))
    const isLast = retry === 'no' || garbled > 1 || number >= limits.attempts || elapsed() + wait >= limits.totalSeconds
    if (isLast) throw afterTries(error, number, elapsed())
    if (wait >= 2)
      call.host.say(`${error.message} Trying again in ${Math.round(wait)} s (${number + 1} of ${limits.attempts}).`)
    await sleep(wait * 1000, undefined, { signal: stop }).catch(() => {})
  }
}

// A server that limits says for how long, and everyone else hears it too.
function overload(error: unknown): { waitSeconds?: number } {
  const { status, waitSeconds } = error instanceof ServerError ? error.details : {}
  return status === 429 && waitSeconds ? { waitSeconds } : {}
}

// The full wait doubles from attempt to attempt, up to 30 s; half of it is random, so that many callers do not return
// together.
function backoff(number: number, first: number): number {
  const full = Math.min(30, first * 2 ** (number - 1))
  return full * (0.5 + Math.random() / 2)
}

// Ends with the time limit even where the work does not listen to its signal.
async function attempted<T>(
  call: Call,
  number: number,
  seconds: number,
  work: (attempt: RetryAttempt) => Promise<T>,
): Promise<T> {
  const limit = withDeadline(seconds, call.stop, () => tooSlow(call, seconds))
  const { signal } = limit
  try {
    return await untilAborted(work({ number, signal }), signal)
  } catch (error) {
    throw signal.aborted && !call.stop.aborted ? signal.reason : error
  } finally {
    limit.clear()
  }
}

function tooSlow(call: Call, seconds: number): ServerError {
  const limit = Math.round(seconds * 10) / 10
  return new ServerError(`${call.name} gave no whole answer within ${limit} s at ${call.server}.`, {
    retry: 'yes',
    unhealthy: true,
    hint: 'Give it more time with limits.attemptSeconds and limits.totalSeconds, or use a smaller model.',
  })
}

function skipped({ name, server, breaker: { failures, last } }: Call, seconds: number): ServerError {
  return new ServerError(
    `${name} was not asked: ${server} failed ${failures} times in a row, lastly: ${last?.message ?? 'unknown'} It is asked again in ${Math.ceil(seconds)} s.`,
    { retry: 'no', later: true, hint: last?.hint, cause: last },
  )
}

// The places of one server: of this process, and where a cluster limits the server, of all who ask it.
interface Slots {
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> // a call with all its attempts
  turn?: RequestTurns['take'] // before each attempt
}

function openSlots({ server, limits, host }: { server: string; limits: RequestLimits; host: Host }): Slots {
  const semaphore = new Semaphore(limits.concurrency)
  const turns = host.turns?.({ address: server, provider: providerAt(server) })
  return {
    run: (signal, work) => semaphore.run(signal, work),
    ...(turns && { turn: (seconds, signal) => turns.take(seconds, signal) }),
  }
}

// What a reply says of itself: servers that embed, hear or rank say nothing.
function endTurn(turn: RequestTurn | undefined, reply: unknown): void {
  const usage = (reply as { usage?: Record<'inputTokens' | 'outputTokens', unknown> } | undefined)?.usage
  turn?.end({ tokens: (Number(usage?.inputTokens) || 0) + (Number(usage?.outputTokens) || 0) })
}

// Stops calls to a server for a while after many failures in a row; then lets one trial call through.
class CircuitBreaker {
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
function sharedBreaker(host: Host, server: string): CircuitBreaker {
  const byServer = breakers.get(host) ?? new Map<string, CircuitBreaker>()
  breakers.set(host, byServer)
  const breaker = byServer.get(server) ?? new CircuitBreaker()
  byServer.set(server, breaker)
  return breaker
}
