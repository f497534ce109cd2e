import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { handMadeContext, handMadeIndex } from '../../tests/agent/hand-made-index.ts'
import { museum } from '../../tests/agent/museum.ts'
import { openWeb, type WebChoice } from './index.ts'
import { isPublicAddress, safeGet } from './safe-get.ts'
import webSearch from './web-search.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function serve(answer: RequestListener): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers['x-subscription-token'] ?? ''}`.trim())
    answer(request, response)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const json =
  (value: unknown): RequestListener =>
  (_, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
  }
const never = new AbortController().signal
const search = async (choice: Partial<WebChoice>, count = 5) =>
  (await openWeb({ provider: 'searxng', seconds: 2, ...choice })).service.search('carbon budget', count, never)

describe('an address of the open internet', () => {
  test.each(['93.184.216.34', '8.8.8.8', '2606:4700:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808'])(
    '%s is one',
    address => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )
  test.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '[::1]',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::7f00:1',
    '64:ff9b::a9fe:a9fe',
    'fd00:ec2::254',
    'fe80::1%eth0',
    'fec0::1',
    '2002:7f00:1::',
    'localhost',
    '',
  ])('%s is none', address => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

describe('reading from the web', () => {
  const get = (url: string, more = {}) =>
    safeGet({ url: new URL(url), headers: {}, seconds: 2, signal: never, ...more })

  test('an address of this machine is never asked, however it is written or named', async () => {
    const { url, asked } = await serve(json({}))
    const port = new URL(url).port
    for (const host of [
      '127.0.0.1',
      '127.1',
      '0x7f000001',
      '2130706433',
      '017700000001',
      '[::1]',
      '[::ffff:127.0.0.1]',
      'localhost',
      'localhost.',
      '0.0.0.0',
    ])
      await expect(get(`http://${host}:${port}/`)).rejects.toThrow(/was not asked|ECONNREFUSED|ENOTFOUND/)
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    await expect(get(`http://innocent.example:${port}/`, { resolve })).rejects.toThrow(
      /private network; it was not asked/,
    )
    expect(asked).toEqual([])
  })

  test('a name that means a public address and a private one is not asked, nor one that changes its mind', async () => {
    const { url, asked } = await serve(json({}))
    const both = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
    await expect(get(`http://two.example:${new URL(url).port}/`, { resolve: both })).rejects.toThrow(/not asked/)
    let times = 0
    const rebinding = async () => [{ address: ++times > 1 ? '93.184.216.34' : '127.0.0.1', family: 4 }]
    await expect(get(`http://rebind.example:${new URL(url).port}/`, { resolve: rebinding })).rejects.toThrow(
      /not asked/,
    )
    expect(asked).toEqual([])
  })

  test('the server that the user named may redirect within itself, and nowhere into the private network', async () => {
    const secret = await serve(json({ secret: true }))
    const named = await serve((request, response) => {
      if (request.url === '/a') response.writeHead(302, { location: '/b' }).end()
      else if (request.url === '/b') response.end('arrived')
      else response.writeHead(302, { location: `${secret.url}/latest/meta-data` }).end()
    })
    expect(await get(`${named.url}/a`, { named: named.url })).toMatchObject({ body: 'arrived' })
    await expect(get(`${named.url}/c`, { named: named.url })).rejects.toThrow(/not asked/)
    for (const location of ['http://169.254.169.254/', 'file:///etc/passwd', 'http://[::1]/', 'gopher://x/'])
      await expect(
        serve((_, response) => response.writeHead(302, { location }).end()).then(({ url }) => get(url, { named: url })),
      ).rejects.toThrow(/not asked|not a web address/)
    expect(secret.asked).toEqual([])
  })

  test('a server that redirects for ever, sends without end or says nothing is left', async () => {
    const round = await serve((_, response) => response.writeHead(302, { location: '/' }).end())
    await expect(get(round.url, { named: round.url })).rejects.toThrow(/redirects more than 3 times/)
    const endless = await serve((_, response) => {
      const timer = setInterval(() => response.write('x'.repeat(500_000)), 1)
      response.on('close', () => clearInterval(timer))
    })
    await expect(get(endless.url, { named: endless.url })).rejects.toThrow(/more than 2097152 bytes/)
    const silent = await serve(() => {})
    await expect(get(silent.url, { named: silent.url, seconds: 0.3 })).rejects.toThrow(/did not answer within 0.3 s/)
  })
})

describe('web_search', () => {
  test('asks a SearXNG that the user named', async () => {
    const { url, asked } = await serve(
      json({
        results: [
          { title: 'A <b>b</b> &amp; c', content: 'line\none', url: 'https://a.example/x' },
          { title: 'no', url: 'javascript:alert(1)' },
        ],
      }),
    )
    expect(await search({ url })).toEqual([{ title: 'A b & c', snippet: 'line one', url: 'https://a.example/x' }])
    expect(asked[0]).toContain('/search?q=carbon+budget&format=json')
  })

  test('asks an API like that of Brave, with the key, and hands the key to nobody else', async () => {
    const { url, asked } = await serve(
      json({ web: { results: [{ title: 't', description: 'd', url: 'http://a.example/' }] } }),
    )
    expect(await search({ provider: 'brave', url: `${url}/res`, key: 'k-123' }, 3)).toHaveLength(1)
    expect(asked).toEqual(['/res?q=carbon+budget&count=3 k-123'])
    await expect(search({ provider: 'brave' })).rejects.toThrow(/needs a key/)
    await expect(search({})).rejects.toThrow(/needs the address/)
    await expect(search({ provider: 'bing' })).rejects.toThrow(/Unknown web provider "bing"/)
  })

  test('says what is wrong with a reply', async () => {
    const garbage = await serve((_, response) => response.end('<html>'))
    await expect(search({ url: garbage.url })).rejects.toThrow(/form that is not understood/)
    const closed = await serve((_, response) => response.writeHead(403).end())
    await expect(search({ url: closed.url })).rejects.toThrow(/status 403: JSON is switched off/)
  })

  test('is off until a provider is set; its results are text for the planner and no evidence of the video', async () => {
    const context = handMadeContext(handMadeIndex(museum))
    await expect(webSearch.run({ query: 'x' }, context)).rejects.toThrow(/web_search is off/)
    await expect(webSearch.run({ query: 'x'.repeat(400) }, context)).rejects.toThrow(/limit is 300/)
    const { url } = await serve(json({ results: [{ title: 'T', content: 'S', url: 'https://a.example/' }] }))
    const web = () => openWeb({ provider: 'searxng', seconds: 2, url })
    const found = await webSearch.run({ query: 'x' }, handMadeContext(handMadeIndex(museum), { web }))
    expect(found).toMatchObject({ evidence: [], outcome: 'found', text: expect.stringContaining('1. T') })
  })
})
