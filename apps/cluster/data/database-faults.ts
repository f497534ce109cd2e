import {
  BackendError,
  errorCode,
  errorText,
  LongtakeError,
  StorageError,
  UsageError,
} from '../../../src/core/errors.ts'

// Nothing was done, or what was done is undone: the server is away, restarts, is only read for now, or has no place for one more.
const awayCodes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['EAI_AGAIN', 'EAI_FAIL', 'ENOTFOUND'], // a name server that is away knows no name
  ...['57P01', '57P02', '57P03', '57P05', '53300', '40001', '40P01', '25006'],
])
const awayText = /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable/

// An unknown host, user or database, a certificate that does not hold, a user without the right.
const refusals = /^(ENOTFOUND|28...|3D000|42501|.*(CERT|SIGNATURE|ISSUER).*)$/

export function isAway(error: unknown): boolean {
  const code = errorCode(error) ?? ''
  return awayCodes.has(code) || code.startsWith('08') || (code === '' && awayText.test(errorText(error)))
}

// What the database says, as a sentence with what to do. `where` names it without its password; `isFirst`: it has
// never answered, so a host that nobody knows is a wrong address.
export function databaseFault(error: unknown, where: string, isFirst = false): unknown {
  if (error instanceof LongtakeError) return error
  const code = errorCode(error) ?? ''
  const message = errorText(error)
  if (isAway(error) && !(isFirst && code === 'ENOTFOUND'))
    return new BackendError(`The database of the cluster at ${where} does not answer: ${message}.`, {
      cause: error,
      retryable: true,
      hint: 'Start it, or correct LONGTAKE_CLUSTER (cluster.database). `longtake cluster doctor` says more.',
    })
  if (refusals.test(code))
    return new UsageError(`The database of the cluster at ${where} cannot be opened: ${message}.`, {
      cause: error,
      hint: 'Correct LONGTAKE_CLUSTER (cluster.database), or make the user and the database there.',
    })
  if (/does not support SSL/.test(message))
    return new UsageError(`The database of the cluster at ${where} offers no encryption.`, {
      cause: error,
      hint: 'Set "ssl = on" there, or add ?sslmode=disable to the address where its network is trusted.',
    })
  if (code === '53100' || code === '53200')
    return new StorageError(`The database of the cluster at ${where} has no space left: ${message}.`, {
      cause: error,
      hint: 'Make space on its disk; workers go on by themselves.',
    })
  if (code === '42P01' || code === '3F000' || code === '42883')
    return new BackendError(`The database of the cluster at ${where} lacks a table or function: ${message}.`, {
      cause: error,
      retryable: true,
      hint: 'Run: longtake cluster init',
    })
  return error
}
