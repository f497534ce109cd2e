import { BackendError, type BackendReason, InterruptedError } from '../../src/core/errors.ts'

// Whether another try may help: a garbled reply is asked for once more, a server that is busy as often as the limits allow.
export type Again = 'no' | 'once' | 'yes'

export interface FaultDetails {
  again: Again
  hint?: string
  cause?: unknown
  reason?: BackendReason
  status?: number
  said?: string // the server's own message
  waitSeconds?: number // the server asked for this wait
  later?: boolean // no use now, but the same call may pass later
  unwell?: boolean // the server itself is in trouble: counts for the breaker
}

// What went wrong with one try of a call to a server.
export class ServerFault extends BackendError {
  readonly details: FaultDetails
  constructor(message: string, details: FaultDetails) {
    const { hint, cause, reason, again, later } = details
    super(message, { hint, cause, reason, retryable: later ?? again !== 'no' })
    this.details = details
  }
}

// The same fault, as the caller gets it when no further try is made.
export function lastWord(fault: ServerFault, tries: number, seconds: number): ServerFault {
  if (tries === 1) return fault
  const message = `${fault.message.replace(/\.$/, '')} (tried ${tries} times in ${Math.round(seconds * 10) / 10} s).`
  return new ServerFault(message, { ...fault.details, cause: fault.details.cause ?? fault })
}

// What a stopped call throws: the reason of the signal where it says one in our words.
export function interruption(signal: AbortSignal): Error {
  if (signal.reason instanceof InterruptedError) return signal.reason
  return new InterruptedError('Stopped while waiting for a model.', { cause: signal.reason })
}

export function throwIfStopped(signal: AbortSignal): void {
  if (signal.aborted) throw interruption(signal)
}
