import { z } from 'zod'
import type { Host } from '../../src/core/backend.ts'
import { BackendError, errorText, UsageError } from '../../src/core/errors.ts'
import { checkRepository, checkRevision } from '../../src/core/model-names.ts'
import { retryAfterSeconds } from '../http/retry-after.ts'
import { openTransport, type Received, TransportError } from '../http/transport.ts'
import { hubAddress, isOffline } from './cache.ts'

// The hub's checksum of a file: sha256 for large files, git's own hash for small ones.
interface Checksum {
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
  licence?: string // as its card says
  gated?: boolean // terms must be accepted first
}

// Data sets live beside the models of the same names.
type HubKind = 'model' | 'dataset'

export interface HubClient {
  repository(name: string, revision: string, signal: AbortSignal): Promise<HubRepository>
  // The bytes of a file starting at `from`; a server without ranges sends it from the beginning.
  open(name: string, commit: string, path: string, from: number, signal: AbortSignal): Promise<HubStream>
}

interface HubStream {
  from: number
  body: AsyncIterable<Uint8Array>
}

// Thrown when a retry may help.
export class HubError extends BackendError {
  readonly waitSeconds?: number
  constructor(message: string, options: { hint?: string; cause?: unknown; waitSeconds?: number } = {}) {
    super(message, { ...options, retryable: true })
    this.waitSeconds = options.waitSeconds
  }
}

export const hubStall = 60 // seconds of silence before a connection is dropped
const longestList = 64e6 // bytes of what the hub says of a repository
const silence = 1.5 // seconds after which it is said what is waited for

// A client of the hub, or of the mirror in HF_ENDPOINT. HF_HUB_OFFLINE forbids it.
export function hubClient(host: Host, stall = hubStall, kind: HubKind = 'model'): HubClient {
  if (isOffline(host.environment))
    throw new UsageError('HF_HUB_OFFLINE is set: nothing is fetched from the hub.', {
      hint: 'Unset HF_HUB_OFFLINE, or put the files where HF_HOME or the setting "folder" points.',
    })
  const address = hubAddress(host.environment)
  const token = host.environment.HF_TOKEN || host.environment.HUGGING_FACE_HUB_TOKEN
  const headers = {
    'accept-encoding': 'identity',
    'user-agent': 'longtake',
    ...(token && { authorization: `Bearer ${token}` }),
  }

  // The hub redirects large files to another host.
  const transport = openTransport(host.environment, {
    connectSeconds: stall,
    headersSeconds: stall,
    stallSeconds: stall,
    redirects: 10,
  })
  const get = async (path: string, what: string, signal: AbortSignal, more: Record<string, string> = {}) => {
    const url = new URL(`${address}/${path}`)
    const waiting = setTimeout(() => {
      host.say(`Waiting for ${new URL(address).host} (${what}); after ${stall} s of silence it is given up.`)
    }, silence * 1000)
    const received = await transport
      .send({ method: 'GET', url, headers: { ...headers, ...more } }, signal)
      .catch(cause => {
        signal.throwIfAborted()
        if (!(cause instanceof TransportError)) throw cause
        throw new HubError(`${address} cannot be reached: ${errorText(cause)}.`, {
          hint: 'Check the network, or name a mirror with HF_ENDPOINT. What was fetched is kept.',
          cause,
        })
      })
      .finally(() => clearTimeout(waiting))
    if (received.status >= 200 && received.status <= 299) return received
    received.discard()
    throw refusal(received, what, address, { hasToken: Boolean(token), kind })
  }

  return {
    async repository(name, revision, signal) {
      checkRepository(name)
      checkRevision(revision)
      const path = `api/${kind}s/${encoded(name)}/revision/${encodeURIComponent(revision)}?blobs=true`
      const { body } = await get(path, name, signal)
      const chunks: Uint8Array[] = []
      let size = 0
      for await (const chunk of watched(body, name, stall, signal)) {
        size += chunk.length
        if (size > longestList) throw new BackendError(`${address} says more than ${longestList} bytes of ${name}.`)
        chunks.push(chunk)
      }
      const parsed = Repository.safeParse(parseHubJson(Buffer.concat(chunks).toString()))
      if (!parsed.success) throw new HubError(`${address} answered about ${name} in an unknown form.`)
      const { sha, siblings, cardData, gated } = parsed.data
      return {
        commit: sha,
        files: siblings.map(hubFile),
        licence: [cardData?.license ?? []].flat().join(', ') || undefined,
        gated: Boolean(gated),
      }
    },
    async open(name, commit, path, from, signal) {
      const file = `${name}/${path}`
      const range: Record<string, string> = from > 0 ? { range: `bytes=${from}-` } : {}
      const received = await get(
        `${kind === 'dataset' ? 'datasets/' : ''}${encoded(name)}/resolve/${commit}/${encoded(path)}`,
        file,
        signal,
        range,
      )
      return { from: rangeStart(received), body: watched(received.body, file, stall, signal) }
    },
  }
}

// Why the hub cannot be asked now; undefined if it answers, whatever it says.
export async function hubFault({
  environment,
  signal,
}: Pick<Host, 'environment' | 'signal'>): Promise<string | undefined> {
  if (isOffline(environment)) return 'HF_HUB_OFFLINE is set'
  const address = hubAddress(environment)
  const transport = openTransport(environment, { connectSeconds: 4, headersSeconds: 6, stallSeconds: 6 })
  try {
    const received = await transport.send(
      { method: 'GET', url: new URL(address), headers: { 'user-agent': 'longtake' } },
      signal,
    )
    received.discard()
    return undefined
  } catch (error) {
    signal.throwIfAborted()
    return `${address} cannot be reached: ${errorText(error)}`
  } finally {
    await transport.close()
  }
}

const Repository = z.object({
  sha: z.string().regex(/^[0-9a-f]{40}$/),
  gated: z.union([z.boolean(), z.string()]).nullish(),
  cardData: z.looseObject({ license: z.union([z.string(), z.array(z.string())]).nullish() }).nullish(),
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

// The hub wants terms to be accepted, or a token, before it hands out a data set.
export class GateError extends BackendError {}

function refusal(
  { status, headers }: Received,
  what: string,
  address: string,
  { hasToken, kind }: { hasToken: boolean; kind: HubKind },
): Error {
  const message = `${address} answered ${status} for ${what}.`
  if (kind === 'dataset' && (status === 401 || status === 403)) return new GateError(message)
  if (status === 401 || status === 403)
    return new UsageError(message, {
      hint: hasToken
        ? 'The token in HF_TOKEN may not read it: accept the terms of the model on its page, or check its name.'
        : 'Check its name. If it asks for terms to be accepted, do so on its page and put a token into HF_TOKEN.',
    })
  if (status === 404) return new UsageError(message, { hint: 'Check the name, the revision and the precision.' })
  if (status === 429 || status >= 500) {
    return new HubError(message, { waitSeconds: retryAfterSeconds(headers['retry-after'], headers.date) })
  }
  return new BackendError(message)
}

// Where a partial response starts: "bytes 100-199/200".
function rangeStart({ status, headers }: Received): number {
  if (status !== 206) return 0
  return Number(/^bytes (\d+)-/.exec(headers['content-range'] ?? '')?.[1] ?? 0)
}

// The bytes; errors are thrown as HubError.
async function* watched(body: AsyncIterable<Uint8Array>, what: string, stall: number, signal: AbortSignal) {
  try {
    yield* body
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof TransportError && cause.kind === 'stall')
      throw new HubError(`${what} fell silent for ${stall} s.`, { cause })
    throw new HubError(`The connection broke in the middle of ${what}: ${errorText(cause)}.`, { cause })
  }
}

function parseHubJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function encoded(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
