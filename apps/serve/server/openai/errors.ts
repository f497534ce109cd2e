import { type Problem, type ProblemCode, statuses, toProblem } from '../../../../src/core/api/problem.ts'
import { escapeMarkup } from '../../../../src/core/words/escape-markup.ts'

type Status = 400 | 404 | 409 | (typeof statuses)[ProblemCode]

// What the model endpoint refuses for a reason that the API does not have.
export class ModelError extends Error {
  readonly status: Status
  readonly code: string
  readonly param?: string
  readonly hint?: string
  constructor(status: Status, code: string, message: string, { param, hint }: { param?: string; hint?: string } = {}) {
    super(message)
    this.status = status
    this.code = code
    this.param = param
    this.hint = hint
  }
}

// As the clients of OpenAI read it.
export interface OpenAiError {
  error: { message: string; type: string; param: string | null; code: string }
}

const codes: Partial<Record<ProblemCode, string>> = {
  usage: 'invalid_request',
  token: 'invalid_api_key',
  too_many_attempts: 'rate_limit_exceeded',
  unknown: 'not_found',
  changed: 'video_changed',
  unreadable: 'video_unreadable',
  backend: 'backend_unavailable',
  backend_busy: 'backend_unavailable',
  storage: 'storage_full',
  fault: 'server_error',
}

interface Refusal {
  status: Status
  body: OpenAiError
  retryable: boolean
}

export function toRefusal(error: unknown): Refusal {
  if (error instanceof ModelError) {
    const { status, message, hint, code, param } = error
    return { status, body: errorBody(status, code, inSentences(message, hint), param), retryable: false }
  }
  return refusalOfProblem(toProblem(error).problem.error)
}

// Of a job that failed as well: its error is kept in this form.
export function refusalOfProblem({ code, message, hint, retryable }: Problem['error']): Refusal {
  const problemCode = code as ProblemCode
  const status = statuses[problemCode] ?? 500
  return { status, body: errorBody(status, codes[problemCode] ?? code, inSentences(message, hint)), retryable }
}

export function errorReply({ status, body, retryable }: Refusal): Response {
  return Response.json(body, {
    status,
    headers: {
      'x-should-retry': String(retryable), // the clients of OpenAI try 409 and 5xx again where nothing says otherwise
      ...(status === 429 && { 'retry-after': '1' }),
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    },
  })
}

function errorBody(status: Status, code: string, message: string, param?: string): OpenAiError {
  return { error: { message: escapeMarkup(message), type: errorType(status), param: param ?? null, code } }
}

function errorType(status: Status): string {
  if (status === 401) return 'authentication_error'
  if (status === 429) return 'rate_limit_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}

function inSentences(message: string, hint: string | undefined): string {
  return hint === undefined ? message : `${message} ${hint}`
}
