import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

// One exchange with a real server as it passed by. Pieces that are not UTF-8 by themselves are kept as base64.
export interface Exchange {
  method: string
  path: string
  asked?: unknown
  status: number
  headers: Record<string, string>
  pieces: (string | { base64: string })[]
  whole: boolean // false: it was still going on when the client left
}

interface Loopback {
  url: string
  close(): Promise<void>
}

// Plays recorded replies: to a request like a recorded one its reply, otherwise the next of the same path, and the last
// of them again and again.
export function startRecordedServer(exchanges: readonly Exchange[]): Promise<Loopback> {
  const left = [...exchanges]
  const played = new Map<string, Exchange>()
  return listen(
    createServer(async (request, response) => {
      const body = (await bytesOf(request)).toString()
      const route = `${request.method} ${request.url}`
      const sameRoute = left.filter(one => `${one.method} ${one.path}` === route)
      const asked = JSON.stringify(askedOf(body))
      const next = sameRoute.find(one => JSON.stringify(one.asked) === asked) ?? sameRoute[0]
      if (next) left.splice(left.indexOf(next), 1)
      const exchange = next ?? played.get(route)
      if (!exchange) {
        response.writeHead(599).end(JSON.stringify({ error: `not recorded: ${route}` }))
        return
      }
      played.set(route, exchange)
      response.writeHead(exchange.status, exchange.headers)
      for (const piece of exchange.pieces) {
        response.write(typeof piece === 'string' ? piece : Buffer.from(piece.base64, 'base64'))
        await wait(0)
      }
      if (exchange.whole) response.end()
    }),
  )
}

// What is kept of a request: its JSON, long strings (prompts, pictures) by their start.
export function askedOf(body: string): unknown {
  if (body === '') return undefined
  return JSON.parse(body, (_, value) =>
    typeof value === 'string' && value.length > 300 ? `${value.slice(0, 60)}… (${value.length})` : value,
  )
}

export async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

export async function listen(server: Server): Promise<Loopback> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
