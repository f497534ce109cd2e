import { createHash } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

export const commit = 'c0ffee0000000000000000000000000000000001'

export type HubFault =
  | { fault: 'cut'; after: number } // bytes of this answer
  | { fault: 'status'; status: number; headers?: Record<string, string> }
  | { fault: 'no-range' } // the whole file, whatever was asked for
  | { fault: 'other-bytes' } // as long as it should be, and wrong

export interface HubServer {
  url: string
  asked: { path: string; range?: string; authorization?: string }[]
  misbehave(...faults: (HubFault | 'well')[]): void // for the next file requests, in this order
  close(): Promise<void>
}

// A hub on loopback: the list of a repository's files, and the files in ranges, by way of a redirect to another port as
// the real one does. Files whose name ends in ".onnx" or ".zip" are large ones, with a sha256. "*" for any repository: all have these files.
export async function startHubServer(
  repository: string,
  files: Record<string, Uint8Array>,
  options: {
    token?: string
    commit?: string
    pace?: { bytes: number; milliseconds: number }
    dataset?: boolean
    licence?: string
    gated?: boolean // the list is open, the files are not: 403, also with a token
    sizes?: Record<string, number> // that it states
    earlier?: { commit: string; files: Record<string, Uint8Array> } // a commit that main has left behind
  } = {},
): Promise<HubServer> {
  const asked: HubServer['asked'] = []
  const at = options.commit ?? commit
  let faults: (HubFault | 'well')[] = []

  const store = http.createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1)
    asked.push({ path, range: request.headers.range, authorization: request.headers.authorization })
    deliver(response, files[path], request.headers.range, faults.shift() ?? 'well', options.pace)
  })
  await listen(store)
  const storeUrl = `http://127.0.0.1:${(store.address() as AddressInfo).port}`

  const hub = http.createServer((request, response) => {
    const url = decodeURIComponent(request.url ?? '')
    const allowed = !options.token || request.headers.authorization === `Bearer ${options.token}`
    const name = repository === '*' ? '[^/]+/[^/]+' : repository
    const [api, before] = options.dataset ? ['datasets', '/datasets'] : ['models', '']
    const { earlier } = options
    const path = new RegExp(`^${before}/${name}/resolve/${at}/(.+)$`).exec(url)?.[1] ?? ''
    const list = (sha: string, of: Record<string, Uint8Array>) => {
      asked.push({ path: 'api' })
      response.writeHead(200, { 'content-type': 'application/json' })
      const siblings = Object.entries(of).map(entry => sibling(entry, options.sizes))
      const about = { gated: options.gated ? 'auto' : false, cardData: { license: options.licence } }
      response.end(JSON.stringify({ sha, siblings, ...(options.dataset && about) }))
    }
    if (!allowed) response.writeHead(401).end()
    else if (earlier && url === `/api/${api}/${name}/revision/${earlier.commit}?blobs=true`)
      list(earlier.commit, earlier.files)
    else if (new RegExp(`^/api/${api}/${name}/revision/(main|${at}|${at.slice(0, 7)})\\?blobs=true$`).test(url))
      list(at, files)
    else if (options.gated) response.writeHead(403).end()
    else if (files[path]) response.writeHead(302, { location: `${storeUrl}/${encodeURIComponent(path)}` }).end()
    else response.writeHead(404).end()
  })
  await listen(hub)
  return {
    url: `http://127.0.0.1:${(hub.address() as AddressInfo).port}`,
    asked,
    misbehave(...next) {
      faults = next
    },
    async close() {
      for (const server of [hub, store]) {
        server.closeAllConnections()
        await new Promise(resolve => server.close(resolve))
      }
    },
  }
}

function sibling([path, bytes]: [string, Uint8Array], sizes: Record<string, number> = {}): object {
  const git = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
  const lfs = { sha256: createHash('sha256').update(bytes).digest('hex'), size: sizes[path] ?? bytes.length }
  return {
    rfilename: path,
    size: sizes[path] ?? bytes.length,
    blobId: git,
    ...(/\.(onnx(_data)?|zip)$/.test(path) && { lfs }),
  }
}

function deliver(
  response: http.ServerResponse,
  whole: Uint8Array | undefined,
  range: string | undefined,
  fault: HubFault | 'well',
  pace?: { bytes: number; milliseconds: number },
): void {
  if (!whole) return void response.writeHead(404).end()
  if (fault !== 'well' && fault.fault === 'status')
    return void response.writeHead(fault.status, fault.headers ?? {}).end()
  const from = fault !== 'well' && fault.fault === 'no-range' ? 0 : Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
  const bytes = Buffer.from(whole.subarray(from))
  if (fault !== 'well' && fault.fault === 'other-bytes') bytes[bytes.length - 1]! ^= 1
  response.writeHead(from > 0 ? 206 : 200, {
    'content-length': bytes.length,
    ...(from > 0 && { 'content-range': `bytes ${from}-${whole.length - 1}/${whole.length}` }),
  })
  if (pace) return void pieceByPiece(response, bytes, pace)
  if (fault === 'well' || fault.fault !== 'cut') return void response.end(bytes)
  response.write(bytes.subarray(0, fault.after), () => setTimeout(() => response.destroy(), 30))
}

async function pieceByPiece(
  response: http.ServerResponse,
  bytes: Uint8Array,
  pace: { bytes: number; milliseconds: number },
): Promise<void> {
  for (let at = 0; at < bytes.length && !response.destroyed; at += pace.bytes) {
    response.write(bytes.subarray(at, at + pace.bytes))
    await new Promise(resolve => setTimeout(resolve, pace.milliseconds))
  }
  response.end()
}

function listen(server: http.Server): Promise<void> {
  return new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
}
