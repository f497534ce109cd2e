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
// the real one does. Files whose name ends in ".onnx" are large ones, with a sha256. "*" for any repository: all have these files.
export async function startHubServer(
  repository: string,
  files: Record<string, Uint8Array>,
  options: { token?: string; commit?: string; pace?: { bytes: number; milliseconds: number } } = {},
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
    const path = new RegExp(`^/${name}/resolve/${at}/(.+)$`).exec(url)?.[1] ?? ''
    if (!allowed) response.writeHead(401).end()
    else if (new RegExp(`^/api/models/${name}/revision/(main|${at})\\?blobs=true$`).test(url)) {
      asked.push({ path: 'api' })
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ sha: at, siblings: Object.entries(files).map(sibling) }))
    } else if (files[path]) response.writeHead(302, { location: `${storeUrl}/${encodeURIComponent(path)}` }).end()
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

function sibling([path, bytes]: [string, Uint8Array]): object {
  const git = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
  const lfs = { sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length }
  return { rfilename: path, size: bytes.length, blobId: git, ...(/\.onnx(_data)?$/.test(path) && { lfs }) }
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
