import { STATUS_CODES } from 'node:http'
import { errorText, LongtakeError } from '../../src/core/errors.ts'
import { shownUrl } from './address.ts'
import { retryAfterSeconds, retryDelaySeconds } from './retry-after.ts'
import { ServerError, type ServerErrorDetails } from './server-error.ts'
import { type Received, TransportError } from './transport.ts'

// Protocol-specific knowledge of error replies: a better hint, whether to retry, a reason.
export type Explain = (status: number, said: string, code: string) => Partial<ServerErrorDetails> | undefined

// The server of a request, and how its errors are described.
export interface ServerAddress {
  name: string
  shown: string
  start: string
  proxy?: string // the environment variable that names it
  hasKey: boolean
  clean(text: string): string // removes secrets from a server's message
  explain?: Explain
}

// The error of a request without a complete reply.
export function explainTransportError(place: ServerAddress, cause: unknown): LongtakeError {
  if (cause instanceof LongtakeError) return cause
  const { kind, code } = cause instanceof TransportError ? cause : { kind: 'cut', code: undefined }
  const what = errorText(cause)
  const unreachable = (why: string, details: ServerErrorDetails) =>
    new ServerError(`${place.name} could not reach ${place.shown}: ${why}.`, { unhealthy: true, cause, ...details })
  const failed = (why: string, details: ServerErrorDetails) =>
    new ServerError(`${place.name} at ${place.shown} failed: ${why}.`, { cause, ...details })
  const hint = place.proxy
    ? `${place.proxy} is set, so a proxy is asked: check its address, or add the host to NO_PROXY.`
    : place.start
  if (code === 'ECONNREFUSED') return unreachable('connection refused', { retry: 'once', hint })
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return unreachable(`its name is not known (${code})`, { retry: 'once', hint: 'Check the URL and the network.' })
  if (/^(ERR_TLS|UNABLE_TO)|CERT/.test(code ?? ''))
    return unreachable(`its certificate is not trusted (${code})`, {
      retry: 'no',
      unhealthy: false,
      hint: 'Name the file of its authority in the environment variable NODE_EXTRA_CA_CERTS.',
    })
  if (kind === 'connect') return unreachable(what, { retry: 'yes', hint })
  if (kind === 'too-big') return failed(what, { retry: 'no', hint: 'If so much is right, raise limits.maxBytes.' })
  if (kind === 'compression') return failed(what, { retry: 'once' })
  return kind === 'stall'
    ? failed(what, {
        retry: 'yes',
        unhealthy: true,
        hint: 'If the model is only slow, raise limits.stallSeconds.',
      })
    : failed(`the connection broke (${code ?? what})`, {
        retry: 'yes',
        unhealthy: true,
        hint: 'Look at the log of the server.',
      })
}

type Body = AsyncIterable<Uint8Array>

// The error of a reply with an error status, with the server's own message and the next step.
export async function explainStatus(place: ServerAddress, received: Received, body: Body): Promise<ServerError> {
  const { status, headers } = received
  const { said, code, waitSeconds: wait } = serverMessage(await start(body))
  const waitSeconds = retryAfterSeconds(headers['retry-after'], headers.date) ?? wait
  const name = STATUS_CODES[status] ?? 'unknown status'
  const message = `${place.name} at ${place.shown} answered ${status} (${name})${said ? `: ${place.clean(said)}` : '.'}`
  const isRefusal = status < 500 || isAboutRequest(said)
  return new ServerError(/[.!?]$/.test(message) ? message : `${message}.`, {
    retry: status >= 500 && isRefusal ? 'no' : mayRetry(status, code),
    unhealthy: !isRefusal,
    hint:
      hint(place, isRefusal ? Math.min(status, 499) : status, headers.location) +
      (waitSeconds ? ` It asks for a wait of ${Math.ceil(waitSeconds)} s.` : ''),
    status,
    said: place.clean(said),
    waitSeconds,
    ...place.explain?.(status, said, code),
  })
}

interface ServerMessage {
  said: string
  code: string
  waitSeconds?: number
}

// The message of an error object as servers write it: {"error":{"message"}}, {"error":"..."}, {"message"}, {"detail"},
// or, by Google's, an array of one such object.
export function serverMessage(body: unknown): ServerMessage {
  if (typeof body === 'string') {
    try {
      return serverMessage(JSON.parse(body))
    } catch {
      return { said: /^\s*</.test(body) ? '' : oneLine(body), code: '' }
    }
  }
  if (Array.isArray(body)) return serverMessage(body[0])
  if (!body || typeof body !== 'object') return { said: '', code: '' }
  const { error, message, detail, details, code, type } = body as Record<string, unknown>
  if (error && typeof error === 'object') return serverMessage(error)
  const serverText = [error, message, detail].find(words => typeof words === 'string' && words !== '')
  return {
    said: oneLine(typeof serverText === 'string' ? serverText : detail === undefined ? '' : JSON.stringify(detail)),
    code: [code, type].filter(word => typeof word === 'string' || typeof word === 'number').join(' '),
    waitSeconds: retryDelaySeconds(details),
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
    // The status is enough if the body cannot be read.
  }
  return text.slice(0, 65_536)
}

// Some servers answer 500 where the request itself is what they do not take: its schema, its tools, its pictures. What they say of a reply
// of the model that they could not read is another thing.
function isAboutRequest(said: string): boolean {
  return aboutRequest.test(said) && !/failed to parse (input|tool)|generat/i.test(said)
}

const aboutRequest =
  /validation error|input should be|response_format|json.?schema|grammar|tools? param|tool_choice|chat.?template|jinja|image_url|(image|audio|video) input|mmproj|multimodal|can only concatenate|unexpected keyword argument/i

function mayRetry(status: number, code: string): ServerErrorDetails['retry'] {
  if (/insufficient_quota|billing/.test(code)) return 'no'
  return [408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529].includes(status) ? 'yes' : 'no'
}

function hint(place: ServerAddress, status: number, location: string | undefined): string {
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
