import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { hostname } from 'node:os'
import { UsageError } from '../../../src/core/errors.ts'
import { metricsText, type Observed, withinPatience } from './metrics.ts'

export interface ServedMetrics {
  url: string
  close(): Promise<void>
}

// `9464`, or `0.0.0.0:9464` where other machines may read them: nothing here is secret, and nothing can be changed.
export function metricsAddress(given: string): { host: string; port: number } {
  const [, host = '127.0.0.1', port = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(given) ?? []
  if (port !== '' && Number(port) <= 65_535) return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) }
  throw new UsageError(`--metrics must be a port, or an address with a port, not "${given}".`, {
    hint: 'As: --metrics 9464, or --metrics 0.0.0.0:9464 for other machines.',
  })
}

// /metrics for Prometheus; /live and /ready for probes: the process answers, and the database answers it.
export async function serveMetrics(
  observed: Observed,
  { host, port }: { host: string; port: number },
): Promise<ServedMetrics> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const end = (status: number, text: string, type = 'text/plain; charset=utf-8') =>
      response.writeHead(status, { 'content-type': type }).end(text)
    if (!isOwnName(request, host)) return end(403, 'not a name of this worker\n')
    if (request.method !== 'GET' && request.method !== 'HEAD') return end(405, 'GET only\n')
    if (request.url === '/live') return end(200, 'live\n')
    if (request.url === '/ready') return (await answers(observed)) ? end(200, 'ready\n') : end(503, 'no database\n')
    if (request.url !== '/metrics') return end(404, '/metrics, /live, /ready\n')
    return end(200, await metricsText(observed), 'text/plain; version=0.0.4; charset=utf-8')
  }
  // What fails here is an answer, and never the end of the worker.
  const server = createServer((request, response) => {
    answer(request, response).catch(() => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' })
      response.end('failed\n')
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(notListening(host, port, cause)))
    server.listen({ host, port }, resolve)
  })
  const { address, port: bound, family } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}/metrics`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

// A page behind a rebound name sends that name, which has a dot. Allowed are addresses, the name of this machine and the one that was
// given, and beyond the loopback names without a dot, as of the services of a cluster.
function isOwnName({ headers, rawHeaders }: IncomingMessage, given: string): boolean {
  if (rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length !== 1) return false
  const name = (headers.host ?? '')
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase()
  if (isIP(name) !== 0 || ['localhost', given.toLowerCase(), hostname().toLowerCase()].includes(name)) return true
  return !['127.0.0.1', '::1', 'localhost'].includes(given) && /^[\w-]+$/.test(name)
}

async function answers({ sql }: Observed): Promise<boolean> {
  return (await withinPatience(sql.query('select 1'))) !== undefined
}

function notListening(host: string, port: number, cause: NodeJS.ErrnoException): UsageError {
  return new UsageError(`Metrics cannot be served at ${host}:${port}: ${cause.code ?? cause.message}.`, {
    hint: 'Give another port: --metrics 9465. Two workers of one machine need two.',
    cause,
  })
}
