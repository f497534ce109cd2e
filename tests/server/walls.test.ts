import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../src/core/api/routes.ts'
import { launchChromium, noChromium } from '../support/chromium.ts'
import { readNetLog, type Sent } from './net-log.ts'
import { raw, type Serving, startServer } from './serving.ts'

// Pages of strangers against the real server in the real browser: everything that a page can send is sent, with the token and the
// signatures in its hands, and read back from the browser's own log of what went over the network.

const folder = mkdtempSync(join(tmpdir(), 'longtake-walls-'))
const log = join(folder, 'net.json')
const key = 'KEY-of-programs-0123456789'
let server: Serving // on 127.0.0.1
let named: Serving // under a name: there browsers send no Sec-Fetch-Site, as its address is not trusted
let stranger: Server // a web server of somebody else, on another port of this machine
let strangerPort = 0
let browser: Browser
let media: { source: string; still: string }
let namedSource = ''

const skip = noChromium !== ''
const script = readFileSync(join(import.meta.dirname, 'stranger.js'))

beforeAll(async () => {
  if (skip) return
  mkdirSync(join(folder, 'videos'))
  const coding = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=10:d=2', '-c:v', 'libx264', '-pix_fmt', 'yuv420p']
  const faststart = ['-movflags', 'faststart']
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', ...coding, ...faststart, join(folder, 'videos', 'a.mp4')])
  const environment = { SERVE_KEY: key }
  const open = ['--host', '0.0.0.0', '--trust-host', 'nas.test', '--set', 'serve.keyVariable=SERVE_KEY']
  const videos = join(folder, 'videos')
  ;[server, named] = await Promise.all([
    startServer([videos], join(folder, 'home')),
    startServer([videos, ...open], join(folder, 'named'), environment),
  ])
  const added = await server.call('POST', '/videos', { path: 'a.mp4' })
  media = routes.addVideo.reply.parse(added.json).media
  namedSource = await addUnderName()
  stranger = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x')
    const to = searchParams.get('to')
    if (to) response.writeHead(307, { location: to, 'access-control-allow-origin': '*' }).end()
    else if (pathname === '/stranger.js') response.setHeader('content-type', 'text/javascript').end(script)
    else response.setHeader('content-type', 'text/html').end('<body><script src="/stranger.js"></script>')
  })
  await new Promise<void>(resolve => stranger.listen(0, '127.0.0.1', resolve))
  strangerPort = (stranger.address() as AddressInfo).port
  const names = ['MAP *.test 127.0.0.1', 'MAP * ~NOTFOUND', 'EXCLUDE 127.0.0.1', 'EXCLUDE localhost']
  browser = await launchChromium([
    `--host-resolver-rules=${names.join(', ')}`,
    '--disable-features=LocalNetworkAccessChecks', // of this browser and no other: our walls stand without it
    ...[`--log-net-log=${log}`, '--net-log-capture-mode=IncludeSensitive'],
  ])
})
afterAll(async () => {
  await browser?.close()
  stranger?.close()
  stranger?.closeAllConnections()
  await Promise.all([server?.stop(), named?.stop()])
  rmSync(folder, { recursive: true, force: true })
})

async function addUnderName(): Promise<string> {
  const body = '{"path":"a.mp4"}'
  const head = [
    ...['POST /api/videos HTTP/1.1', `Host: nas.test:${named.port}`, `Authorization: Bearer ${key}`],
    ...['Content-Type: application/json', `Content-Length: ${body.length}`, 'Connection: close', '', body],
  ]
  const [, reply = ''] = (await raw(named.port, head.join('\r\n'))).split('\r\n\r\n')
  return routes.addVideo.reply.parse(JSON.parse(reply)).media.source
}

const attacks = [
  ...['fetch', 'fetch-source', 'fetch-no-cors', 'fetch-with-token', 'post-no-cors'],
  ...['post-with-token', 'mcp', 'v1', 'delete', 'redirect', 'img', 'script', 'style', 'module', 'video', 'audio'],
  ...['iframe', 'iframe-page', 'embed', 'object', 'prefetch', 'events', 'socket', 'form-get', 'form-post', 'beacon'],
]

type Got = Record<string, unknown>
const tags: string[] = []
const attackFrom = (page: Page | Frame, tag: string): Promise<Got> => {
  tags.push(tag)
  const elsewhere = `http://evil.test:${strangerPort}`
  const given = { server: server.origin, source: media.source, token: server.token, tag, stranger: elsewhere }
  return page.evaluate(`attack(${JSON.stringify(given)})`)
}
const fruits = (got: Got) => Object.entries(got).filter(([, value]) => value !== 'nothing' && value !== '')

const opens = [
  ['open-api', '/api/health', 'get'],
  ['open-media', '/media/x/y/source', 'get'],
  ['open-post', '/', 'post'],
] as const

const openFrom = async (address: string) => {
  const page = await browser.newPage()
  await page.goto(address)
  return page
}

test.skipIf(skip).each([
  ['another-site', () => `http://evil.test:${strangerPort}/`],
  ['another-port', () => `http://127.0.0.1:${strangerPort}/`],
  ['localhost', () => `http://localhost:${strangerPort}/`],
])(`a page of %s gets nothing from this server, by whatever it can send${noChromium}`, async (tag, address) => {
  const page = await openFrom(address())
  expect(fruits(await attackFrom(page, tag))).toEqual([])
  await page.close()
})

test.skipIf(skip)(`a page without an origin gets nothing either${noChromium}`, async () => {
  const page = await openFrom(`http://127.0.0.1:${strangerPort}/`)
  const script = `http://127.0.0.1:${strangerPort}/stranger.js`
  await page.setContent(`<iframe sandbox="allow-scripts allow-forms" srcdoc="<body><script src='${script}'></script>">`)
  const [, frame] = page.frames()
  await frame?.waitForFunction('globalThis.attack')
  expect(frame && fruits(await attackFrom(frame, 'no-origin'))).toEqual([])
  await page.close()
})

test.skipIf(skip)(`a name that is led to this machine is refused: DNS rebinding${noChromium}`, async () => {
  const page = await browser.newPage()
  const rebound = `http://rebound.test:${server.port}`
  expect((await page.goto(`${rebound}/`))?.status()).toBe(403)
  // The page was loaded while its name still led to the stranger's own machine.
  await page.route('**/before-rebinding', route => route.fulfill({ contentType: 'text/html', body: '<body>' }))
  await page.goto(`${rebound}/before-rebinding`)
  const post = {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    body: '{"path":"a.mp4"}',
  }
  const ask = (path: string, init = {}) => `fetch('${path}', ${JSON.stringify(init)}).then(reply => reply.status)`
  const got = await page.evaluate(`Promise.all([${[ask('/api/health'), ask('/'), ask('/api/videos', post)]}])`)
  expect(got).toEqual([403, 403, 403])
  await page.close()
})

test.skipIf(skip)(`a stranger that opens the page holds no handle of it${noChromium}`, async () => {
  const page = await openFrom(`http://127.0.0.1:${strangerPort}/`)
  const opening = page.context().waitForEvent('page')
  await page.evaluate(`void (globalThis.opened = open('${server.origin}/'))`)
  const opened = await opening
  await opened.waitForLoadState()
  expect(await opened.evaluate('[location.origin, opener]')).toEqual([server.origin, null])
  expect(await page.evaluate('opened.closed')).toBe(true)
  await opened.close()
  // Nothing but the page itself is opened for a stranger, and that only by a link.
  for (const [name, path, method] of opens)
    await page.evaluate(`{
      const form = Object.assign(document.createElement('form'), { method: '${method}', target: '_blank' })
      form.action = '${server.origin}${path}?attack=${name}'
      form.innerHTML = '<input name="attack" value="${name}">'
      document.body.append(form)
      form.submit()
    }`)
  await expect.poll(() => page.context().pages().length).toBe(1 + opens.length)
  await page.context().close()
})

test.skipIf(skip)(`not even a page of this origin can frame another${noChromium}`, async () => {
  const page = await browser.newPage()
  await page.route('**/own-page', route => route.fulfill({ contentType: 'text/html', body: '<body>' }))
  await page.goto(`${server.origin}/own-page`)
  await page.evaluate(`new Promise(done => {
    const frame = document.createElement('iframe')
    frame.src = '/'
    frame.onload = done
    document.body.append(frame)
  })`)
  expect(page.frames().map(frame => frame.url())).toEqual([
    `${server.origin}/own-page`,
    'chrome-error://chromewebdata/',
  ])
  await page.close()
})

// Under a name browsers do not say which site a request comes from: each of these walls stands alone there.
test.skipIf(skip)(`under a name: no frame, no picture, no post of a stranger${noChromium}`, async () => {
  const page = await openFrom(`http://evil.test:${strangerPort}/`)
  const base = `http://nas.test:${named.port}`
  const post = { method: 'POST', body: '{"path":"a.mp4"}' }
  const bearer = { ...post, headers: { authorization: `Bearer ${key}` } }
  const got = await page.evaluate(`Promise.all([
    new Promise(done => {
      const video = document.createElement('video')
      video.onloadedmetadata = () => done('loaded')
      video.onerror = () => done('nothing')
      video.src = '${base}${namedSource}'
    }),
    fetch('${base}/api/health').then(() => 'read', () => 'nothing'),
    fetch('${base}/api/videos?attack=name-post', ${JSON.stringify({ ...post, mode: 'no-cors' })}).then(() => 'opaque', () => 'nothing'),
    fetch('${base}/api/videos?attack=name-token', ${JSON.stringify(bearer)}).then(() => 'read', () => 'nothing'),
  ])`)
  expect(got).toEqual(['nothing', 'nothing', 'nothing', 'nothing'])
  await page.setContent(`<iframe src="${base}/"></iframe>`)
  await page.waitForTimeout(300)
  expect(page.frames().map(frame => frame.url())).not.toContain(`${base}/`)
  await page.close()
})

test.skipIf(skip)(`all that was sent was refused by the server itself${noChromium}`, async () => {
  await browser.close()
  const sent = readNetLog(log).flatMap(one => {
    const name = new URL(one.url).searchParams.get('attack')
    return name === null ? [] : [{ ...one, name }]
  })
  const told = ({ method, name, status }: Sent & { name: string }) => `${method} ${name} ${status}`
  expect(sent.filter(({ status }) => status !== 403).map(told)).toEqual([])
  for (const tag of tags) {
    const names = new Set(sent.map(({ name }) => name))
    expect(
      attacks.filter(name => !names.has(`${tag}-${name}`)),
      `${tag}: never sent`,
    ).toEqual([])
  }
  for (const name of ['name-post', 'name-token'])
    expect(
      sent.some(one => one.name === name),
      name,
    ).toBe(true)
})
