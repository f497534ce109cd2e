import http from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { Host } from '../../src/core/backend.ts'
import { UsageError } from '../../src/core/errors.ts'
import { startFaultServer } from '../../tests/servers/fault-server.ts'
import { hubClient } from '../hub/hub-client.ts'
import { RequestLimits } from './limits.ts'
import { readReplyJson } from './read-json.ts'
import { openServer } from './server.ts'

const never = new AbortController().signal
const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const thing of opened.splice(0)) await thing.close()
})

const body = { ok: 'yes', sha: 'a'.repeat(40), siblings: [] }

async function startTarget() {
  const target = await startFaultServer(() => ({
    status: 200,
    type: 'application/json',
    pieces: [Buffer.from(JSON.stringify(body))],
  }))
  opened.push(target)
  return target
}

// Writes down what it is asked for and hands everything to one server, whatever host is named.
async function startProxy(target: string, tunnel = true) {
  const asked: string[] = []
  const { port } = new URL(target)
  const proxy = http.createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const { pathname } = new URL(request.url ?? '', target)
    const forwarded = http.request({ port, path: pathname, method: request.method, headers: request.headers }, reply =>
      reply.pipe(response.writeHead(reply.statusCode ?? 500, reply.headers)),
    )
    request.pipe(forwarded)
  })
  proxy.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`)
    if (!tunnel) return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    const upstream = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(upstream).pipe(socket)
    })
    upstream.on('error', () => socket.destroy())
    socket.on('error', () => upstream.destroy())
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  opened.push({
    close() {
      proxy.closeAllConnections()
      proxy.close()
    },
  })
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked }
}

const hostWith = (environment: Host['environment']): Host => ({
  folder: '',
  environment,
  signal: never,
  say: () => {},
})

function ask(url: string, environment: Host['environment']) {
  const limits = RequestLimits.parse({ attempts: 1, attemptSeconds: 5 })
  const server = openServer({ name: 'chat/test', url, limits, start: 'Start it.' }, hostWith(environment))
  opened.push(server)
  return server.call(never, async asking => readReplyJson(await asking.post('ask', {}), z.object({ ok: z.string() })))
}

test.each(['HTTP_PROXY', 'http_proxy'])('a request over http goes to the proxy that %s names', async name => {
  const target = await startTarget()
  const proxy = await startProxy(target.url)
  expect(await ask('http://model.example:8000/v1', { [name]: proxy.url })).toEqual({ ok: 'yes' })
  expect(proxy.asked).toEqual(['POST http://model.example:8000/v1/ask'])
  expect(target.seen[0]?.headers.host).toBe('model.example:8000')
})

test('a request over https goes through a tunnel of the proxy that HTTPS_PROXY names', async () => {
  const target = await startTarget()
  const proxy = await startProxy(target.url)
  const other = await startProxy(target.url)
  // The target speaks no TLS: what counts is who was asked, and that the failure is that of the handshake.
  await expect(ask('https://model.example/v1', { HTTPS_PROXY: proxy.url, HTTP_PROXY: other.url })).rejects.toThrow(
    /EPROTO|SSL|TLS|connection broke/,
  )
  expect(proxy.asked).toEqual(['CONNECT model.example:443'])
  expect(other.asked).toEqual([])
})

test('a proxy that refuses the tunnel is named by its status and its variable', async () => {
  const target = await startTarget()
  const proxy = await startProxy(target.url, false)
  const error = await ask('https://model.example/v1', { HTTPS_PROXY: proxy.url }).catch((error: unknown) => error)
  expect(error).toMatchObject({
    message: expect.stringContaining('could not reach https://model.example/v1: Proxy response (403)'),
    hint: expect.stringContaining('HTTPS_PROXY is set'),
  })
})

test.each(['model.example', '.example', '*', 'other.example, model.example:8000'])(
  'NO_PROXY %s: the host is asked directly',
  async excluded => {
    const target = await startTarget()
    const proxy = await startProxy(target.url)
    const error = await ask('http://model.example:8000/v1', { HTTP_PROXY: proxy.url, NO_PROXY: excluded }).catch(
      (error: unknown) => error,
    )
    expect(error).toMatchObject({ message: expect.stringContaining('its name is not known') })
    expect(proxy.asked).toEqual([])
  },
)

test.each(['localhost', '127.0.0.1'])(
  'a server on %s is asked directly, whatever the proxy variables hold',
  async host => {
    const target = await startTarget()
    const proxy = await startProxy(target.url)
    const url = target.url.replace('127.0.0.1', host)
    expect(await ask(url, { HTTP_PROXY: proxy.url })).toEqual({ ok: 'yes' })
    expect(await ask(url, { HTTP_PROXY: proxy.url, NO_PROXY: 'other.example' })).toEqual({ ok: 'yes' })
    expect(await ask(url, { HTTP_PROXY: 'ftp://proxy.example' })).toEqual({ ok: 'yes' })
    expect(proxy.asked).toEqual([])
  },
)

test.each(['http://127.0.0.2:9', 'http://[::1]:9', 'http://models.localhost:9'])('%s is asked directly', async url => {
  const target = await startTarget()
  const proxy = await startProxy(target.url)
  await expect(ask(url, { HTTP_PROXY: proxy.url })).rejects.toThrow('could not reach') // nothing listens there
  expect(proxy.asked).toEqual([])
})

test('an address without its protocol is that of an HTTP proxy', async () => {
  const target = await startTarget()
  const proxy = await startProxy(target.url)
  await ask('http://model.example/v1', { HTTP_PROXY: new URL(proxy.url).host })
  expect(proxy.asked).toEqual(['POST http://model.example/v1/ask'])
})

test.each(['ftp://proxy.example', 'http://'])('HTTPS_PROXY %s is refused by name, without a stack', async value => {
  const error = await ask('https://model.example/v1', { HTTPS_PROXY: value }).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(UsageError)
  expect(error).toMatchObject({ message: 'The environment variable HTTPS_PROXY must hold the address of a proxy.' })
})

test('the hub is asked through the proxy too', async () => {
  const target = await startTarget()
  const proxy = await startProxy(target.url)
  const client = hubClient(hostWith({ HTTP_PROXY: proxy.url, HF_ENDPOINT: 'http://hub.example' }))
  expect(await client.repository('org/name', 'main', never)).toEqual({
    commit: 'a'.repeat(40),
    files: [],
    gated: false,
  })
  expect(proxy.asked).toEqual(['GET http://hub.example/api/models/org/name/revision/main?blobs=true'])
})
