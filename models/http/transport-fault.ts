import { errorText } from '../../src/core/errors.ts'
import { ServerFault } from './fault.ts'
import { TransportError } from './send.ts'
import type { Explain } from './status-fault.ts'

// Where a request goes and how faults there are put in words.
export interface Place {
  name: string
  shown: string
  start: string
  hasKey: boolean
  clean(text: string): string // takes secrets out of a server's words
  explain?: Explain
}

// In words: nothing useful came back at all.
export function transportFault(place: Place, error: unknown): ServerFault {
  if (error instanceof ServerFault) return error
  const { kind, code } = error instanceof TransportError ? error : { kind: undefined, code: undefined }
  const where = `${place.name} could not reach ${place.shown}`
  const hint = place.start
  if (code === 'ECONNREFUSED')
    return new ServerFault(`${where}: connection refused.`, { again: 'once', unwell: true, hint, cause: error })
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new ServerFault(`${where}: its name is not known (${code}).`, {
      again: 'once',
      unwell: true,
      hint: 'Check the URL and the network.',
      cause: error,
    })
  if (code?.startsWith('ERR_TLS') || code?.includes('CERT'))
    return new ServerFault(`${where}: its certificate is not trusted (${code}).`, {
      again: 'no',
      cause: error,
      hint: 'Name the file of its authority in the environment variable NODE_EXTRA_CA_CERTS.',
    })
  if (kind === 'connect')
    return new ServerFault(`${where}: ${errorText(error)}.`, { again: 'yes', unwell: true, hint, cause: error })
  const what = `${place.name} at ${place.shown} failed`
  if (kind === 'too-big')
    return new ServerFault(`${what}: ${errorText(error)}.`, {
      again: 'no',
      cause: error,
      hint: 'If so much is right, raise limits.maxBytes.',
    })
  if (kind === 'packed') return new ServerFault(`${what}: ${errorText(error)}.`, { again: 'once', cause: error })
  return new ServerFault(
    `${what}: ${kind === 'stall' ? errorText(error) : `the connection broke (${code ?? errorText(error)})`}.`,
    {
      again: 'yes',
      unwell: true,
      cause: error,
      hint:
        kind === 'stall' ? 'If the model is only slow, raise limits.stallSeconds.' : 'Look at the log of the server.',
    },
  )
}
