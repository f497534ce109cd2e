import { z } from 'zod'
import { BackendError, errorText, InputError, LongtakeError, StorageError, UsageError } from '../errors.ts'

// What every error of the API says.
export const Problem = z.object({
  error: z.object({
    message: z.string(),
    hint: z.string().optional(), // the next step
    code: z.string(),
    retryable: z.boolean(), // the same request may succeed later
  }),
})
export type Problem = z.infer<typeof Problem>

// What each code of an error means in HTTP.
export const statuses = {
  usage: 400,
  token: 401,
  forbidden: 403,
  unknown: 404,
  conflict: 409,
  changed: 409,
  too_large: 413,
  range: 416,
  unreadable: 422,
  queue_full: 429,
  too_many_attempts: 429,
  fault: 500,
  backend: 502,
  backend_busy: 503,
  interrupted: 503,
  storage: 507,
} as const
export type ProblemCode = keyof typeof statuses
type ProblemStatus = (typeof statuses)[ProblemCode]

const passing: ProblemCode[] = ['queue_full', 'too_many_attempts', 'backend_busy', 'interrupted']

// What the API refuses for a reason of its own.
export class Refused extends Error {
  readonly code: ProblemCode
  readonly hint?: string
  constructor(code: ProblemCode, message: string, hint?: string) {
    super(message)
    this.code = code
    this.hint = hint
  }
}

export function toProblem(error: unknown): { status: ProblemStatus; problem: Problem } {
  const code = findCode(error)
  const hint = error instanceof Refused || error instanceof LongtakeError ? error.hint : undefined
  const reason = errorText(error)
  const message = code === 'fault' ? `This is a fault of longtake: ${reason}` : reason
  return {
    status: statuses[code],
    problem: { error: { message, ...(hint !== undefined && { hint }), code, retryable: passing.includes(code) } },
  }
}

function findCode(error: unknown): ProblemCode {
  if (error instanceof Refused) return error.code
  if (error instanceof UsageError) return 'usage'
  if (error instanceof InputError) return 'unreadable'
  if (error instanceof BackendError) return error.retryable ? 'backend_busy' : 'backend'
  if (error instanceof StorageError) return 'storage'
  return error instanceof LongtakeError ? 'interrupted' : 'fault'
}
