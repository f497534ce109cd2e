import { setTimeout as sleep } from 'node:timers/promises'
import type { Host } from '../../src/core/backend.ts'
import { untilAborted, withDeadline } from '../../src/core/signals.ts'
import { type Breaker, breakerFor } from './breaker.ts'
import { interruption, lastWord, ServerFault, throwIfStopped } from './fault.ts'
import type { Limits } from './limits.ts'
import { openSlots } from './slots.ts'

export interface Attempt {
  number: number // from 1
  signal: AbortSignal // of this try: the caller's, and the time limit
}

// Runs calls to one outside thing with patience: at most so many at a time, time limits, tries again with growing waits
// where that may help, and a breaker. Only a ServerFault is ever tried again; any other error is ours and goes up.
export interface Guard {
  run<T>(signal: AbortSignal, work: (attempt: Attempt) => Promise<T>): Promise<T>
}

export function openGuard(options: { name: string; server: string; limits: Limits; host: Host }): Guard {
  const { name, server, limits, host } = options
  const slots = openSlots(limits.concurrency)
  const breaker = breakerFor(host, server)
  return {
    async run(signal, work) {
      const stop = AbortSignal.any([signal, host.signal])
      const release = await slots.take(stop)
      try {
        return await persist({ name, server, limits, host, breaker, stop }, work)
      } finally {
        release()
      }
    },
  }
}

interface Call {
  name: string
  server: string
  limits: Limits
  host: Host
  breaker: Breaker
  stop: AbortSignal
}

async function persist<T>(call: Call, work: (attempt: Attempt) => Promise<T>): Promise<T> {
  const { limits, breaker, stop } = call
  const began = performance.now()
  const spent = () => (performance.now() - began) / 1000
  let garbled = 0
  for (let number = 1; ; number++) {
    throwIfStopped(stop)
    const closed = breaker.wait()
    if (closed > 0) throw leftAlone(call, closed)
    let fault: ServerFault
    try {
      const result = await attempt(call, number, Math.min(limits.attemptSeconds, limits.totalSeconds - spent()), work)
      breaker.passed()
      return result
    } catch (error) {
      if (stop.aborted || !(error instanceof ServerFault)) {
        breaker.left()
        throw stop.aborted ? interruption(stop) : error
      }
      fault = error
    }
    if (fault.details.unwell) breaker.failed(fault, limits)
    else breaker.passed()
    if (fault.details.again === 'once') garbled++
    if (fault.details.again === 'no' || garbled > 1 || number >= limits.attempts) throw lastWord(fault, number, spent())
    const wait = Math.max(fault.details.waitSeconds ?? 0, backOff(number, limits.backoffSeconds))
    if (spent() + wait >= limits.totalSeconds) throw lastWord(fault, number, spent())
    if (wait >= 2)
      call.host.say(`${fault.message} Trying again in ${Math.round(wait)} s (${number + 1} of ${limits.attempts}).`)
    await sleep(wait * 1000, undefined, { signal: stop }).catch(() => {})
  }
}

// The full wait doubles from try to try, up to 30 s; half of it is left to chance, so that many callers do not return together.
function backOff(number: number, first: number): number {
  const full = Math.min(30, first * 2 ** (number - 1))
  return full * (0.5 + Math.random() / 2)
}

// The try ends with its time limit even where the work does not listen to its signal.
async function attempt<T>(
  call: Call,
  number: number,
  seconds: number,
  work: (attempt: Attempt) => Promise<T>,
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

function tooSlow(call: Call, seconds: number): ServerFault {
  return new ServerFault(
    `${call.name} gave no whole answer within ${Math.round(seconds * 10) / 10} s at ${call.server}.`,
    {
      again: 'yes',
      unwell: true,
      hint: 'Give it more time with limits.attemptSeconds and limits.totalSeconds, or use a smaller model.',
    },
  )
}

function leftAlone(call: Call, seconds: number): ServerFault {
  const { failures, last } = call.breaker
  return new ServerFault(
    `${call.name} was not asked: ${call.server} failed ${failures} times in a row, lastly: ${last?.message ?? 'unknown'} It is asked again in ${Math.ceil(seconds)} s.`,
    { again: 'no', later: true, hint: last?.hint, cause: last },
  )
}
