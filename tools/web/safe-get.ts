import { lookup as dnsLookup } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { BlockList, isIP, isIPv4, isIPv6, type LookupFunction } from 'node:net'
import { withDeadline } from '../../src/core/basics/signals.ts'
import { BackendError, errorText } from '../../src/core/errors.ts'

interface Getting {
  url: URL
  headers: Record<string, string> // sent to the first origin only
  named?: string // the origin that the user named: only it may lie in a private network
  seconds: number
  signal: AbortSignal
  resolve?: Resolve
}

export type Resolve = (host: string) => Promise<{ address: string; family: number }[]>

const maxRedirects = 3
const maxBytes = 2 * 1024 * 1024

// Reads a page of the open internet. The address is checked after the name is resolved, the connection goes to the checked
// address, and each redirect is checked like the first.
export async function safeGet(getting: Getting): Promise<{ status: number; body: string }> {
  const limit = withDeadline(getting.seconds, getting.signal)
  let url = getting.url
  try {
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const reply = await once(url, { ...getting, signal: limit.signal })
      if (reply.next === undefined) return reply
      if (!URL.canParse(reply.next, url.href)) throw new BackendError(`${url.host} redirects to no address.`)
      url = new URL(reply.next, url)
    }
  } catch (error) {
    getting.signal.throwIfAborted()
    if (limit.signal.aborted)
      throw new BackendError(`${url.host} did not answer within ${getting.seconds} s.`, { retryable: true })
    throw error
  } finally {
    limit.clear()
  }
  throw new BackendError(`${getting.url.host} redirects more than ${maxRedirects} times.`)
}

interface Once {
  status: number
  body: string
  next?: string
}

async function once(url: URL, { url: first, headers, named, signal, resolve = resolveAll }: Getting): Promise<Once> {
  if (!/^https?:$/.test(url.protocol)) throw new BackendError(`${url.protocol}//${url.host} is not a web address.`)
  const isNamedOrigin = url.origin === named
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!isNamedOrigin && isIP(host) && !isPublicAddress(host)) throw forbidden(url)
  const request = (url.protocol === 'https:' ? https : http).request(url, {
    method: 'GET',
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'longtake',
      ...(url.origin === first.origin ? headers : {}),
    },
    agent: false,
    lookup: checkedLookup(url, isNamedOrigin, resolve),
    signal,
  })
  const response = await new Promise<http.IncomingMessage>((done, fail) => {
    request.once('response', done)
    request.once('error', error =>
      fail(
        error instanceof BackendError
          ? error
          : new BackendError(`${url.host}: ${errorText(error)}.`, { retryable: true, cause: error }),
      ),
    )
    request.end()
  })
  const status = response.statusCode ?? 0
  if (status >= 300 && status < 400 && response.headers.location) {
    response.destroy()
    return { status, body: '', next: response.headers.location }
  }
  return { status, body: await bounded(response, url) }
}

// The connection is made to the very addresses that were checked, so a name cannot change its mind in between.
function checkedLookup(url: URL, own: boolean, resolve: Resolve): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      found => {
        const [first] = found
        if (!first) return callback(new BackendError(`${host} has no address.`), '', 0)
        if (!own && !found.every(one => isPublicAddress(one.address))) return callback(forbidden(url), '', 0)
        if (options.all) return callback(null, found)
        callback(null, first.address, first.family)
      },
      error => callback(error instanceof Error ? error : new Error(String(error)), '', 0),
    )
  }
}

function resolveAll(host: string) {
  return dnsLookup(host, { all: true })
}

async function bounded(response: http.IncomingMessage, url: URL): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > maxBytes) {
      response.destroy()
      throw new BackendError(`${url.host} answers with more than ${maxBytes} bytes.`)
    }
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function forbidden(url: URL): BackendError {
  return new BackendError(`${url.host} is an address of this machine or a private network; it was not asked.`, {
    hint: 'Only the provider that you name in tools.web.url may lie there.',
  })
}

// Whether an address lies in the open internet: not this machine, not its network, no cloud's metadata service, no relay
// into one of these.
export function isPublicAddress(address: string): boolean {
  const plain = unmapped(address.replace(/^\[|\]$/g, '').replace(/%.*$/, ''))
  if (isIPv4(plain)) return !closed.check(plain, 'ipv4')
  return isIPv6(plain) && !closed.check(plain, 'ipv6')
}

const closedNetworks: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 96], // also the addresses that once carried an IPv4 one
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]

const closed = new BlockList()
for (const [network, prefix] of closedNetworks) closed.addSubnet(network, prefix, isIPv4(network) ? 'ipv4' : 'ipv6')

// An IPv4 address that is written as an IPv6 one: ::ffff:10.0.0.1, 64:ff9b::a00:1.
function unmapped(address: string): string {
  if (!isIPv6(address)) return address
  const { hostname } = new URL(`http://[${address}]`)
  const words = /^\[(?:::ffff|64:ff9b:):([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname)
  if (!words) return address
  const [high = 0, low = 0] = words.slice(1).map(word => Number.parseInt(word, 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
