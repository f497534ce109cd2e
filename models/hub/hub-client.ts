import { z } from 'zod'
import type { Host } from '../../src/core/backend.ts'
import { BackendError, errorText, UsageError } from '../../src/core/errors.ts'
import { checkRepository, checkRevision } from '../../src/core/model-names.ts'
import { retryAfterSeconds } from '../http/retry-after.ts'
import { hubAddress, isOffline } from './cache.ts'

// What the hub says a file's content is: the sha256 of large files, git's own hash of small ones.
export interface Checksum {
  kind: 'sha256' | 'git'
  value: string
}

export interface HubFile {
  path: string
  bytes: number
  checksum?: Checksum
}

export interface HubRepository {
  commit: string
  files: HubFile[]
}

export interface HubClient {
  repository(name: string, revision: string, signal: AbortSignal): Promise<HubRepository>
  // The bytes of a file from `from` on; a server that cannot go on sends it from the beginning.
  open(name: string, commit: string, path: string, from: number, signal: AbortSignal): Promise<HubStream>
}

export interface HubStream {
  from: number
  body: AsyncIterable<Uint8Array>
}

// Thrown where another try may help.
export class HubFault extends BackendError {
  readonly waitSeconds?: number
  constructor(message: string, options: { hint?: string; cause?: unknown; waitSeconds?: number } = {}) {
    super(message, { ...options, retryable: true })
    this.waitSeconds = options.waitSeconds
  }
}

const stall = 60 // seconds of silence after which a connection is given up

// Speaks to the hub, or to the mirror that HF_ENDPOINT names. HF_HUB_OFFLINE forbids it altogether.
export function hubClient(host: Host): HubClient {
  if (isOffline(host.environment))
    throw new UsageError('HF_HUB_OFFLINE is set: nothing is fetched from the hub.', {
      hint: 'Unset HF_HUB_OFFLINE, or put the files where HF_HOME or the setting "folder" points.',
    })
  const address = hubAddress(host.environment)
  const token = host.environment.HF_TOKEN || host.environment.HUGGING_FACE_HUB_TOKEN
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}

  return {
    async repository(name, revision, signal) {
      checkRepository(name)
      checkRevision(revision)
      const url = `${address}/api/models/${encoded(name)}/revision/${encodeURIComponent(revision)}?blobs=true`
      const response = await request(url, headers, name, address, signal)
      const parsed = Repository.safeParse(await response.json().catch(() => undefined))
      if (!parsed.success) throw new HubFault(`${address} answered about ${name} in an unknown form.`)
      return { commit: parsed.data.sha, files: parsed.data.siblings.map(hubFile) }
    },
    async open(name, commit, path, from, signal) {
      const url = `${address}/${encoded(name)}/resolve/${commit}/${encoded(path)}`
      const asked = { ...headers, ...(from > 0 && { range: `bytes=${from}-` }), 'accept-encoding': 'identity' }
      const response = await request(url, asked, `${name}/${path}`, address, signal)
      if (!response.body) throw new HubFault(`${address} sent nothing for ${name}/${path}.`)
      return { from: rangeStart(response), body: watched(response.body, `${name}/${path}`, signal) }
    },
  }
}

const Repository = z.object({
  sha: z.string().regex(/^[0-9a-f]{40}$/),
  siblings: z.array(
    z.object({
      rfilename: z.string(),
      size: z.number().int().min(0).nullish(),
      blobId: z
        .string()
        .regex(/^[0-9a-f]{40}$/)
        .nullish(),
      lfs: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), size: z.number().int().min(0) }).nullish(),
    }),
  ),
})

function hubFile({ rfilename, size, blobId, lfs }: z.infer<typeof Repository>['siblings'][number]): HubFile {
  if (lfs) return { path: rfilename, bytes: lfs.size, checksum: { kind: 'sha256', value: lfs.sha256 } }
  return { path: rfilename, bytes: size ?? 0, ...(blobId && { checksum: { kind: 'git', value: blobId } }) }
}

async function request(
  url: string,
  headers: Record<string, string>,
  what: string,
  address: string,
  signal: AbortSignal,
): Promise<Response> {
  const slow = new AbortController()
  const timer = setTimeout(() => slow.abort(new Error(`no answer within ${stall} s`)), stall * 1000)
  let response: Response
  try {
    response = await fetch(url, { headers, signal: AbortSignal.any([signal, slow.signal]) })
  } catch (cause) {
    signal.throwIfAborted()
    throw new HubFault(`${address} cannot be reached: ${errorText((cause as Error).cause ?? cause)}.`, {
      hint: 'Check the network, or name a mirror with HF_ENDPOINT. What was fetched is kept.',
      cause,
    })
  } finally {
    clearTimeout(timer)
  }
  if (response.ok) return response
  await response.body?.cancel()
  throw refusal(response, what, address, Boolean(headers.authorization))
}

function refusal(response: Response, what: string, address: string, hasToken: boolean): Error {
  const { status, headers } = response
  const message = `${address} answered ${status} for ${what}.`
  if (status === 401 || status === 403)
    return new UsageError(message, {
      hint: hasToken
        ? 'The token in HF_TOKEN may not read it: accept the terms of the model on its page, or check its name.'
        : 'Check its name. If it asks for terms to be accepted, do so on its page and put a token into HF_TOKEN.',
    })
  if (status === 404) return new UsageError(message, { hint: 'Check the name, the revision and the precision.' })
  if (status === 429 || status >= 500) {
    const date = headers.get('date') ?? undefined
    return new HubFault(message, { waitSeconds: retryAfterSeconds(headers.get('retry-after') ?? undefined, date) })
  }
  return new BackendError(message)
}

// "bytes 100-199/200": where the answer to a question for the rest begins.
function rangeStart(response: Response): number {
  if (response.status !== 206) return 0
  const match = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')
  return match ? Number(match[1]) : 0
}

// A connection that falls silent is given up, so that another may be tried.
async function* watched(
  body: ReadableStream<Uint8Array>,
  what: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  const silent = Symbol('silent')
  try {
    for (;;) {
      let timer: NodeJS.Timeout | undefined
      const silence = new Promise<typeof silent>(resolve => {
        timer = setTimeout(resolve, stall * 1000, silent)
      })
      const next = await Promise.race([reader.read(), silence]).finally(() => clearTimeout(timer))
      if (next === silent) throw new HubFault(`${what} fell silent for ${stall} s.`)
      if (next.done) return
      yield next.value
    }
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof HubFault) throw cause
    throw new HubFault(`The connection broke in the middle of ${what}: ${errorText(cause)}.`, { cause })
  } finally {
    reader.cancel().catch(() => {})
  }
}

function encoded(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
