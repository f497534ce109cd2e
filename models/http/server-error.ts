import { BackendError, type BackendReason, InterruptedError } from '../../src/core/errors.ts'

export interface ServerErrorDetails {
  retry: 'no' | 'once' | 'yes' // a garbled reply is asked for once more, a busy server as often as the limits allow
  hint?: string
  cause?: unknown
  reason?: BackendReason
  usage?: BackendError['usage']
  status?: number
  said?: string // the server's own message
  waitSeconds?: number // the server asked for this wait
  later?: boolean // no use now, but the same call may pass later
  unhealthy?: boolean // the server itself is in trouble: counts for the circuit breaker
}

// What went wrong with one attempt of a call to a server.
export class ServerError extends BackendError {
  readonly details: ServerErrorDetails
  constructor(message: string, details: ServerErrorDetails) {
    const { hint, cause, reason, usage, retry, later } = details
    super(message, { hint, cause, reason, usage, retryable: later ?? retry !== 'no' })
    this.details = details
  }
}

// The same error, as the caller gets it when no further attempt is made.
export function afterTries(error: ServerError, tries: number, seconds: number): ServerError {
  if (tries === 1) return error
  const message = `${error.message.replace(/\.$/, '')} (tried ${tries} times in ${Math.round(seconds * 10) / 10} s).`
  return new ServerError(message, { ...error.details, cause: error.details.cause ?? error })
}

// What a stopped call throws: the reason of the signal where it is an error of ours.
export function interruption(signal: AbortSignal): Error {
  if (signal.reason instanceof InterruptedError) return signal.reason
  return new InterruptedError('Stopped while waiting for a model.', { cause: signal.reason })
}

export function throwIfStopped(signal: AbortSignal): void {
  if (signal.aborted) throw interruption(signal)
}
