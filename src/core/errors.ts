import type { z } from 'zod'

// What the user sees when something is wrong: the value, the place, the next step.

type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 130

export abstract class LongtakeError extends Error {
  abstract readonly exitCode: ExitCode
  readonly hint?: string
  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.hint = options.hint
  }
}

// The user can fix it: a wrong name, a wrong value, something not set up.
export class UsageError extends LongtakeError {
  readonly exitCode = 2
}

// The file cannot be read as a video or audio file.
export class InputError extends LongtakeError {
  readonly exitCode = 3
}

// Something external failed: a program, a model, a server. `retryable` says whether a retry may help.
export class BackendError extends LongtakeError {
  readonly exitCode = 4
  readonly retryable: boolean
  readonly reason?: BackendReason
  readonly usage?: { inputTokens: number; outputTokens: number } // what it cost all the same, where that is known
  constructor(
    message: string,
    options: {
      hint?: string
      cause?: unknown
      retryable?: boolean
      reason?: BackendReason
      usage?: BackendError['usage']
    } = {},
  ) {
    super(message, options)
    this.retryable = options.retryable ?? false
    this.reason = options.reason
    this.usage = options.usage
  }
}

// What the caller can act on: a request too long for the model can be shortened and asked again. A model that runs but says nothing
// usable may be asked otherwise, and its silence says nothing of other requests.
export const backendReasons = ['context-overflow', 'bad-reply'] as const
export type BackendReason = (typeof backendReasons)[number]

// The disk is full, or the data folder cannot be written.
export class StorageError extends LongtakeError {
  readonly exitCode = 7
}

// The user or a signal stopped it.
export class InterruptedError extends LongtakeError {
  readonly exitCode = 130
}

export function unknownName(kind: string, name: string, known: readonly string[]): UsageError {
  const near = nearest(name, known)
  const choices = `Choose one of: ${known.join(', ')}.`
  return new UsageError(`Unknown ${kind} "${name}".`, { hint: near ? `Did you mean "${near}"? ${choices}` : choices })
}

// The known name that a typo most likely meant; undefined if none is close.
export function nearest(name: string, known: readonly string[]): string | undefined {
  let best: { name: string; distance: number } | undefined
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (!best || distance < best.distance) best = { name: candidate, distance }
  }
  return best && best.distance <= Math.max(1, Math.floor(name.length / 3)) ? best.name : undefined
}

// Edits between two words, a swap of neighbours counting as one.
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, beforeLast[j - 2]! + 1)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}

// The first thing that a schema complains of.
export function firstZodIssue({ issues: [first], message }: z.ZodError): z.core.$ZodIssue {
  if (!first) throw new TypeError(message)
  return first
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

// The code of an error of the system or of SQLite: "ENOENT".
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

// For a catch: this value where the file, folder or process does not exist, or where the error has one of the other codes given.
// Any other error is thrown on.
export function absentAs<Value>(value: Value, ...others: string[]): (error: unknown) => Value {
  return error => {
    if (['ENOENT', 'ENOTDIR', 'ESRCH', ...others].includes(errorCode(error) ?? '')) return value
    throw error
  }
}

// The codes of a folder that may be entered and not listed.
export const forbidden = ['EACCES', 'EPERM']
