import { errorText, LongtakeError } from '../../../src/core/errors.ts'
import { explainOpenaiError } from '../../http/openai.ts'
import { ServerError, type ServerErrorDetails } from '../../http/server-error.ts'

// Turns an error of the user's package into a ServerError. Clients of providers add a status if a server replied.
export function langchainError(id: string, error: unknown, secrets: readonly string[]): Error {
  if (error instanceof LongtakeError) return error
  const clean = (text: string) => secrets.reduce((words, secret) => words.replaceAll(secret, '[key]'), text)
  const message = clean(errorText(error)).replace(/\s+/g, ' ').slice(0, 500)
  const { status, status_code, code, cause } = error as {
    status?: number
    status_code?: number
    code?: unknown
    cause?: unknown
  }
  const answered = status ?? status_code
  const nobody = /ECONNREFUSED|ENOTFOUND|fetch failed|Connection error/i.test(
    `${message} ${errorText(cause)} ${String(code)}`,
  )
  const details: ServerErrorDetails = {
    retry: nobody ? 'once' : answered === undefined || answered === 429 || answered >= 500 ? 'yes' : 'no',
    unhealthy: nobody || (answered ?? 0) >= 500,
    cause: error,
    status: answered,
    said: message,
    hint: nobody
      ? 'Is the server of this model running? Check its address in "settings".'
      : 'The message is from the package of the model.',
    ...((isBug(error) || /does not support tools/.test(message)) && !nobody && { retry: 'no' }),
    ...explainOpenaiError(answered ?? 400, message, String(code ?? '')),
  }
  return new ServerError(`${id} failed: ${message}${/[.!?]$/.test(message) ? '' : '.'}`, details)
}

function isBug(error: unknown): boolean {
  return [TypeError, RangeError, ReferenceError, SyntaxError].some(kind => error instanceof kind)
}
