import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { bundledScript } from '../../support/bundled-script.ts'

const script = await bundledScript(`import '${import.meta.dirname}/asker.ts'`)

export interface Watched {
  arrivals: number[] // seconds
  most: number // under way at once
  children: ChildProcess[]
}

// Three processes ask a server that notes when each request arrives.
export async function threeProcesses(work: {
  database: string
  limits(url: string): object
  minute: number
  seconds: number
  answer?(response: ServerResponse, arrival: number): void | Promise<void>
  during?(watched: Watched): Promise<void>
}): Promise<Watched> {
  const watched: Watched = { arrivals: [], most: 0, children: [] }
  let underWay = 0
  const server = createServer(async (request, response) => {
    watched.arrivals.push(performance.now() / 1000)
    watched.most = Math.max(watched.most, ++underWay)
    request.resume()
    await work.answer?.(response, watched.arrivals.length)
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    underWay--
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const words = [work.database, url, JSON.stringify(work.limits(url)), String(work.minute)]
  try {
    for (let i = 0; i < 3; i++)
      watched.children.push(spawn(process.execPath, [script, ...words], { stdio: ['pipe', 'pipe', 'inherit'] }))
    await Promise.all(watched.children.map(child => once(child.stdout as NodeJS.ReadableStream, 'data')))
    for (const child of watched.children) child.stdin?.write('go\n')
    await Promise.all([sleep(work.seconds * 1000), work.during?.(watched)])
  } finally {
    for (const child of watched.children) child.kill('SIGTERM')
    await Promise.all(watched.children.map(child => child.exitCode ?? child.signalCode ?? once(child, 'exit')))
    server.closeAllConnections()
    server.close()
  }
  return watched
}

// The most that arrived in any span of that many seconds.
export function mostIn(arrivals: readonly number[], seconds: number): number {
  let most = 0
  let first = 0
  for (const [last, at] of arrivals.entries()) {
    while (at - (arrivals[first] ?? 0) >= seconds) first++
    most = Math.max(most, last - first + 1)
  }
  return most
}
