import type { IncomingMessage } from 'node:http'
import { BackendError, errorCode, errorText, LongtakeError, UsageError } from '../../../../src/core/errors.ts'
import type { S3Bucket } from './address.ts'
import { textIn } from './xml.ts'

// An answer that says "later", or a connection that broke: worth another attempt.
export class PassingFault extends Error {
  readonly after?: number // seconds, where the server says so
  constructor(message: string, after?: number, cause?: unknown) {
    super(message, { cause })
    this.after = after
  }
}

const passingCodes = ['InternalError', 'RequestTimeout', 'ServiceUnavailable', 'SlowDown', 'OperationAborted']

// Only the status and the code of the answer: the rest of it repeats what was signed, keys included.
export function refusal(
  bucket: S3Bucket,
  asked: { method: string; key?: string },
  response: IncomingMessage,
  text: string,
): Error {
  const { statusCode = 0, headers } = response
  const code = textIn(text, 'Code') ?? ''
  const statusText = `${statusCode}${/^\w+$/.test(code) ? ` ${code}` : ''}`
  if ([408, 429, 500, 502, 503, 504].includes(statusCode) || passingCodes.includes(code))
    return new PassingFault(`it answered ${statusText}`, Number(headers['retry-after']) || undefined)
  const what = `The store ${bucket.address} refused ${asked.method} ${asked.key ?? 'its list'} with ${statusText}.`
  const hint = hints(statusCode, code, bucket, headers['x-amz-bucket-region'])
  return hint ? new UsageError(what, { hint }) : new BackendError(what, { hint: 'See the log of the server.' })
}

function hints(status: number, code: string, { region }: S3Bucket, at: unknown): string | undefined {
  if (code === 'NoSuchBucket') return 'Make the bucket, or correct cluster.store (LONGTAKE_STORE).'
  if (code === 'RequestTimeTooSkewed') return 'Set the clock of this machine: it is more than 15 minutes off.'
  if (status === 301 || status === 307 || code === 'AuthorizationHeaderMalformed')
    return `The bucket is in another region than ${region}${typeof at === 'string' ? `: ${at}` : ''}. Set AWS_REGION.`
  if (status === 401 || status === 403)
    return 'Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and what these keys may do: read, write, list and remove.'
  if (code === 'EntityTooLarge' || status === 507) return 'The store takes no object of this size, or is full.'
  return undefined
}

export function unreachable(bucket: S3Bucket, error: unknown, attempts: number): BackendError {
  const { host } = bucket.endpoint
  const why = error instanceof PassingFault ? error.message : (errorCode(error) ?? errorText(error))
  return new BackendError(`The store ${bucket.address} at ${host} cannot be used: ${why} (${attempts} attempts).`, {
    hint: 'Check that the server runs and that AWS_ENDPOINT_URL_S3 names it; finished work is kept.',
    retryable: true,
    cause: error,
  })
}

// Undefined for what stays as it is. Errors of the connection have a code of the system or of Node.
export function isPassing(error: unknown): PassingFault | undefined {
  if (error instanceof PassingFault) return error
  if (error instanceof LongtakeError) return undefined
  const code = errorCode(error)
  const broken = [
    'ECONNRESET',
    'ECONNREFUSED',
    'ECONNABORTED',
    'ETIMEDOUT',
    'EPIPE',
    'EAI_AGAIN',
    'ENOTFOUND',
    'ENETUNREACH',
  ]
  const cut = ['EHOSTUNREACH', 'ERR_STREAM_PREMATURE_CLOSE', 'HPE_INVALID_EOF_STATE']
  return code && [...broken, ...cut].includes(code) ? new PassingFault(code, undefined, error) : undefined
}

const maxText = 8 << 20

export async function readErrorText(response: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response) {
    bytes += piece.length
    if (bytes > maxText) throw new BackendError(`An answer of the store is larger than ${maxText} bytes.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
