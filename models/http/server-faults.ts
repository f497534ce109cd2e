import { STATUS_CODES } from 'node:http'
import { errorText } from '../../src/core/errors.ts'
import { shownUrl } from './address.ts'
import { type FaultDetails, ServerFault } from './fault.ts'
import { retryAfterSeconds } from './retry-after.ts'
import { type Received, TransportError } from './transport.ts'

// What a protocol knows of its own error replies: a better hint, whether to ask again, a reason.
export type Explain = (status: number, said: string, code: string) => Partial<FaultDetails> | undefined

// Where a request goes and how faults there are put in words.
export interface Place {
  name: string
  shown: string
  start: string
  proxy?: string // the environment variable that names it
  hasKey: boolean
  clean(text: string): string // takes secrets out of a server's words
  explain?: Explain
}

// In words: nothing useful came back at all.
export function transportFault(place: Place, error: unknown): ServerFault {
  if (error instanceof ServerFault) return error
  const { kind, code } = error instanceof TransportError ? error : { kind: undefined, code: undefined }
  const where = `${place.name} could not reach ${place.shown}`
  const hint = place.proxy
    ? `${place.proxy} is set, so a proxy is asked: check its address, or add the host to NO_PROXY.`
    : place.start
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
  if (kind === 'compression') return new ServerFault(`${what}: ${errorText(error)}.`, { again: 'once', cause: error })
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

type Body = AsyncIterable<Uint8Array>

// A reply with an error status, in words, with the server's own message and the next step.
export async function statusFault(place: Place, received: Received, body: Body): Promise<ServerFault> {
  const { status, headers } = received
  const { said, code } = serverMessage(await start(body))
  const waitSeconds = retryAfterSeconds(headers['retry-after'], headers.date)
  const name = STATUS_CODES[status] ?? 'unknown status'
  const message = `${place.name} at ${place.shown} answered ${status} (${name})${said ? `: ${place.clean(said)}` : '.'}`
  return new ServerFault(/[.!?]$/.test(message) ? message : `${message}.`, {
    again: again(status, code),
    unwell: status >= 500,
    hint:
      hint(place, status, headers.location) +
      (waitSeconds ? ` It asks for a wait of ${Math.ceil(waitSeconds)} s.` : ''),
    status,
    said: place.clean(said),
    waitSeconds,
    ...place.explain?.(status, said, code),
  })
}

// The message of an error object as servers write it: {"error":{"message"}}, {"error":"..."}, {"message"}, {"detail"}.
export function serverMessage(body: unknown): { said: string; code: string } {
  if (typeof body === 'string') {
    try {
      return serverMessage(JSON.parse(body))
    } catch {
      return { said: /^\s*</.test(body) ? '' : oneLine(body), code: '' }
    }
  }
  if (!body || typeof body !== 'object') return { said: '', code: '' }
  const { error, message, detail, code, type } = body as Record<string, unknown>
  if (error && typeof error === 'object') return serverMessage(error)
  const said = [error, message, detail].find(words => typeof words === 'string' && words !== '')
  return {
    said: oneLine(typeof said === 'string' ? said : detail === undefined ? '' : JSON.stringify(detail)),
    code: [code, type].filter(word => typeof word === 'string' || typeof word === 'number').join(' '),
  }
}

async function start(body: Body): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length > 65_536) break
    }
  } catch {
    // The status says enough where its page cannot be read to the end.
  }
  return text.slice(0, 65_536)
}

function again(status: number, code: string): FaultDetails['again'] {
  if (/insufficient_quota|billing/.test(code)) return 'no'
  return [408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529].includes(status) ? 'yes' : 'no'
}

function hint(place: Place, status: number, location: string | undefined): string {
  if (status === 401 || status === 403)
    return place.hasKey
      ? 'The key is not accepted there: check the environment variable that apiKeyEnv names.'
      : 'It wants a key: put it into an environment variable and name that variable with apiKeyEnv.'
  if (status === 404 || status === 405) return 'Check the URL (it mostly ends in /v1) and the name of the model.'
  if (status === 413) return 'Send fewer or smaller pictures, or raise the limit of the server.'
  if (status === 429) return 'It is asked too often: lower limits.concurrency, or wait.'
  if (status >= 300 && status < 400)
    return `It points elsewhere${location && URL.canParse(location) ? `, to ${shownUrl(new URL(location))}` : ''}: use that URL.`
  return status >= 500 ? 'Look at the log of the server.' : 'The server does not take this request: see its message.'
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 500 ? `${line.slice(0, 500)}…` : line
}
