import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../src/core/api/routes.ts'
import { raw, type Serving, startServer } from './serving.ts'

// Clients that no browser and no library would be, against the real server: bytes as they should not be, names that mean something
// elsewhere, readers that do not read.

const folder = mkdtempSync(join(tmpdir(), 'longtake-attacks-'))
const place = (...names: string[]) => join(folder, ...names)
const bytes = 20_000_000_000
let server: Serving
let video = ''
let media: { source: string; still: string }
let big: { source: string }

beforeAll(async () => {
  mkdirSync(place('videos', 'more'), { recursive: true })
  mkdirSync(place('private'))
  const coding = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=10:d=2', '-c:v', 'libx264', '-pix_fmt', 'yuv420p']
  const make = (path: string, ...more: string[]) =>
    execFileSync('ffmpeg', ['-v', 'error', '-nostdin', ...coding, '-movflags', 'faststart', ...more, path])
  make(place('videos', 'a.mp4'))
  make(place('private', 'secret.mp4'), '-metadata', 'title=secret')
  copyFileSync(place('videos', 'a.mp4'), place('videos', 'big.mp4'))
  lengthen(place('videos', 'big.mp4'))
  server = await startServer([place('videos')], place('home'))
  const added = await server.call('POST', '/videos', { path: 'a.mp4' })
  ;({ id: video, media } = routes.addVideo.reply.parse(added.json))
  big = routes.addVideo.reply.parse((await server.call('POST', '/videos', { path: 'big.mp4' })).json).media
})
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

// A free box of so many bytes that are nowhere on the disk.
function lengthen(path: string): void {
  const head = Buffer.alloc(16)
  head.writeUInt32BE(1, 0)
  head.write('free', 4)
  head.writeBigUInt64BE(BigInt(bytes - statSync(path).size), 8)
  appendFileSync(path, head)
  truncateSync(path, bytes)
}

const own = () => [`Host: 127.0.0.1:${server.port}`, `Authorization: Bearer ${server.token}`]
const request = (line: string, headers: string[] = [], body = '') =>
  [`${line} HTTP/1.1`, ...own(), ...headers, 'Connection: close', '', body].join('\r\n')
const repliesIn = (said: string) => [...said.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
const statuses = async (text: string) => repliesIn(await raw(server.port, text))
const statusOf = async (line: string, headers: string[] = [], body = '') =>
  (await statuses(request(line, headers, body)))[0]
const post = (path: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(`${server.api}${path}`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json', ...headers },
  }).then(async reply => ({ status: reply.status, text: await reply.text() }))
const alive = async () => {
  const began = performance.now()
  expect((await fetch(`${server.api}/health`)).status).toBe(200)
  return performance.now() - began
}
const megabytes = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1000
const openFiles = () => readdirSync(`/proc/${server.pid}/fd`).length
const isLinux = process.platform === 'linux'
const why = isLinux ? '' : ' (skipped: memory is read from /proc)'

test.each([
  ['a length and pieces', ['Content-Length: 4', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
  ['two codings', ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], '0\r\n\r\n'],
  ['a coding that is nearly one', ['Transfer-Encoding: xchunked'], '0\r\n\r\n'],
  ['a coding after a tab', ['Transfer-Encoding:\x0bchunked'], '0\r\n\r\n'],
  ['two lengths', ['Content-Length: 2', 'Content-Length: 40'], '{}'],
  ['a length below zero', ['Content-Length: -2'], '{}'],
  ['a length with a sign', ['Content-Length: +2'], '{}'],
  ['a length in hexadecimal', ['Content-Length: 0x2'], '{}'],
  ['a piece of a wrong size', ['Transfer-Encoding: chunked'], 'g\r\n{}\r\n0\r\n\r\n'],
  ['a piece without an end', ['Transfer-Encoding: chunked'], '2\r\n{}GET'],
  ['a header that goes on in the next line', ['X-A: a\r\n b'], ''],
  ['a space before the colon', ['X-A : a'], ''],
  ['a carriage return alone', ['X-A: a\rHost: evil'], ''],
  ['a NUL', ['X-A: a\0b'], ''],
])('smuggling: %s is refused, and nothing after it is read', async (_, headers, rest) => {
  const hidden = request('GET /api/health')
  const line = 'POST /api/videos HTTP/1.1'
  const text = [line, ...own(), 'Content-Type: application/json', ...headers, '', rest].join('\r\n') + hidden
  expect(await statuses(text)).toEqual([400])
})

test("of requests in one piece each is looked at, and after a stranger's none is answered", async () => {
  const [host = ''] = own()
  const one = (...headers: string[]) => ['GET /api/health HTTP/1.1', ...headers, '', ''].join('\r\n')
  expect(await statuses(one(host) + one('Host: evil') + one(host))).toEqual([200, 403])
  const inBody = one(host)
  const text = one(host, `Content-Length: ${inBody.length}`).concat(inBody, one(host, 'Connection: close'))
  expect(await statuses(text)).toEqual([200, 200]) // a body is no request
})

test('headers behind thousands of others are seen as well', async () => {
  const many = Array.from({ length: 2500 }, () => 'a:')
  expect(await statusOf('GET /api/videos', many)).toBe(200)
  for (const header of ['Host: evil', 'Origin: http://evil', 'Sec-Fetch-Site: cross-site'])
    expect(await statusOf('GET /api/videos', [...many, header]), header).not.toBe(200)
})

test.each([
  ...['http://evil/api/health', '*', 'evil:80', '?x', 'api/health', '\\api\\health'].map(target => [
    target,
    [400, 403],
  ]),
  ...['//evil/api/health', '/api%2fhealth', '/api/health%00', '/API/health', '/api//health', '/api/health/'].map(
    target => [target, [404]],
  ),
  ...[
    '/\\evil/api/health',
    '/api/health\\..',
    '/%5cevil',
    '/api;x/health',
    '/.//api/health',
    '/%2e%2e%2fapi/health',
  ].map(target => [target, [400, 404]]),
] as [string, number[]][])("the target %s is not this server's", async (target, expected) => {
  expect(expected).toContain(await statusOf(`GET ${target}`))
})

test('no spelling of a host is taken for our own', async () => {
  const { port } = server
  const hosts = [
    ...[
      '127。0。0。1',
      '127.0.0.1.',
      '①27.0.0.1',
      '0177.0.0.1',
      '0x7f.1',
      '2130706433',
      '127.0.0.1%00',
      '[::ffff:127.0.0.1]',
    ],
    ...['0', '0.0.0.0', 'evil@127.0.0.1', '127.0.0.1\\@evil', 'xn--127-0-0-1', 'LOCALHOST.evil', '[::1%25lo]', '[::]'],
  ].map(name => `${name}:${port}`)
  for (const host of [
    ...hosts,
    `127.0.0.1:${port}, evil`,
    `127.0.0.1:0${port}`,
    '127.0.0.1:',
    '',
    `127.0.0.1:${port}/`,
  ]) {
    const said = await raw(
      port,
      Buffer.from(`GET /api/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`).toString('latin1'),
    )
    expect(repliesIn(said)[0], host).toBeGreaterThanOrEqual(400)
  }
  const led = await raw(
    port,
    `GET //evil.com/%0d%0aX: HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`,
  )
  expect(led).toContain(`\r\nlocation: http://127.0.0.1:${port}//evil.com/`)
  const forwarded = [
    'X-Forwarded-Host: evil',
    'Forwarded: host=evil',
    'X-Original-URL: /x',
    'X-HTTP-Method-Override: DELETE',
  ]
  expect(await statusOf('GET /api/jobs/none', forwarded)).toBe(404)
})

test('methods and handshakes that are not ours do nothing and repeat nothing', async () => {
  for (const method of ['OPTIONS', 'TRACE', 'PUT', 'PATCH', 'PROPFIND', 'QUERY', 'LOCK', 'FOO', 'CONNECT']) {
    const said = await raw(server.port, request(`${method} /api/videos`))
    expect([404, 400, 403, undefined], method).toContain(repliesIn(said)[0])
    expect(said, method).not.toContain(server.token)
  }
  for (const method of ['HEAD', 'GET']) expect(await statusOf(`${method} /api/videos`), method).toBe(200)
  for (const protocol of ['websocket', 'h2c', 'TLS/1.0']) {
    const handshake = ['Upgrade: '.concat(protocol), 'Connection: Upgrade, HTTP2-Settings', 'HTTP2-Settings: AAMAAABk']
    const key = ['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13']
    expect(await statuses(request('GET /api/health', [...handshake, ...key])), protocol).toEqual([200])
  }
  expect(await statusOf('POST /api/videos', ['Expect: 200-maybe', 'Content-Length: 0'])).toBe(417)
  expect(await statuses('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')).toEqual([400])
  expect(await statusOf(`GET /api/videos?q=${'a'.repeat(20_000)}`)).toBe(431)
  expect(await statusOf('GET /api/videos', [`X-A: ${'a'.repeat(20_000)}`])).toBe(431)
})

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)
test.each<[string, string | Buffer, Record<string, string>?]>([
  ['lists without an end', '['.repeat(900_000)],
  ['lists in lists', nested(400_000, '[', ']')],
  ['objects in a field', `{"path":${nested(120_000, '{"a":', '}').replace('{"a":}', '{"a":1}')}}`],
  ['a number beyond all numbers', '{"path":"a.mp4","folder":1e999}'],
  ['a number below zero', '{"path":"a.mp4","folder":-0.5}'],
  ['a long number', `{"path":"a.mp4","folder":${'9'.repeat(900_000)}}`],
  ['a prototype', '{"path":"a.mp4","__proto__":{"folder":0}}'],
  ['a prototype alone', '{"__proto__":{"path":"a.mp4"}}'],
  ['a constructor', '{"path":"a.mp4","constructor":{"prototype":{"folder":0}}}'],
  ['a hundred thousand fields', `{${Array.from({ length: 60_000 }, (_, at) => `"k${at}":0`)}}`],
  ['compressed', gzipSync('{"path":"a.mp4"}'), { 'content-encoding': 'gzip' }],
  ['a bomb', gzipSync(Buffer.alloc(50_000_000, 32)), { 'content-encoding': 'gzip' }],
  ['another charset', Buffer.from('{"path":"a.mp4"}', 'utf16le')],
  ['a mark of byte order', '\ufeff{"path":"a.mp4"}'],
  ['nothing', ''],
  ['null', 'null'],
  ['a form', 'path=a.mp4', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['a type that is nearly JSON', '{"path":"a.mp4"}', { 'content-type': 'application/jsonx' }],
])('the body "%s" is refused quickly, and in a sentence', async (_, body, headers) => {
  const began = performance.now()
  const { status, text } = await post('/videos', body, headers)
  expect({ status, code: JSON.parse(text).error.code }, text).toEqual({ status: 400, code: 'usage' })
  expect(text.length).toBeLessThan(2000)
  expect(performance.now() - began).toBeLessThan(5000)
})

test('of a key that comes twice the last counts, for the check as for the use', async () => {
  expect((await post('/videos', '{"path":"a.mp4","path":"../private/secret.mp4"}')).status).toBe(403)
  expect((await post('/videos', '{"path":"../private/secret.mp4","path":"a.mp4"}')).status).toBe(200)
})

const ids = [
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '..%2f', '..%2f..%2fetc%2fpasswd', '%2e%2e%5c', '%00'],
  ...[
    'a%00b',
    '%ff',
    '%',
    '%zz',
    '%c0%ae%c0%ae%2f',
    '%e2%80%ae',
    '.',
    '%2e',
    '*',
    '-rf',
    '%0d%0aX-Y:%201',
    'a'.repeat(3000),
  ],
  ...[
    '%F0%9F%98%80',
    'con',
    'j0',
    'v00000000000000000000',
    '%25%32%66',
    '$%7Bx%7D',
    '%3Cscript%3E',
    '1e9',
    '-1',
    'NaN',
  ],
]
test('an id that means something elsewhere is an id that is not there', async () => {
  const places = (id: string): [string, string, string?][] => [
    ...(
      [
        `videos/${id}`,
        `videos/${id}/rows`,
        `videos/${id}/lanes`,
        `jobs/${id}`,
        `runs/${id}`,
        `runs/${id}/trace`,
      ] as const
    ).map((path): [string, string] => ['GET', `/api/${path}`]),
    ['GET', `/api/runs/${id}/states/${id}`],
    ['GET', `/api/runs/${id}/calls/${id}`],
    ['GET', `/api/folders/${id}`],
    ['GET', `/api/sessions/${id}`],
    ['DELETE', `/api/videos/${id}`],
    ['DELETE', `/api/jobs/${id}`],
    ['DELETE', `/api/sessions/${id}`],
    ['POST', `/api/videos/${id}/ask`, '{"question":"x"}'],
    ['POST', `/api/videos/${id}/index`],
    ['POST', `/api/runs/${id}/resume`],
    ['POST', `/api/sessions/${id}/fork`, '{"as":"x"}'],
    ['GET', `/media/${id}/${id}/source`],
    ['GET', `/live/${id}/events`],
  ]
  for (const id of ids)
    for (const [method, path, body = ''] of places(id)) {
      const type = body === '' ? [] : ['Content-Type: application/json']
      const status = await statusOf(`${method} ${path}`, [...type, `Content-Length: ${body.length}`], body)
      expect([400, 404], `${method} ${path} ${status}`).toContain(status)
    }
  for (const query of ['__proto__=1', '__proto__=1&__proto__=2', 'q[]=1', 'q=a&q=b', 'constructor=1', 'cursor=1e3'])
    expect(await statusOf(`GET /api/videos?${query}`), query).toBe(400)
  expect(await statusOf('GET /api/search?q=%ff%00%ed%a0%80%27%22)%20OR%20NEAR(*')).toBe(200)
})

test('sixty spellings of a path lead to nothing outside of the folders', async () => {
  writeFileSync(place('secret.mp4'), readFileSync(place('private', 'secret.mp4')))
  symlinkSync(place('private'), place('videos', 'linked'))
  symlinkSync(place('private', 'secret.mp4'), place('videos', 'link.mp4'))
  symlinkSync('../../private/secret.mp4', place('videos', 'more', 'link.mp4'))
  const up = [
    '../',
    '..//',
    './../',
    'more/../../',
    'more/./../../',
    'none/../../',
    '../videos/../',
    'linked/../',
    '..\\',
    '..;/',
  ]
  const coded = [
    '..%2f',
    '%2e%2e/',
    '%2e%2e%2f',
    '..%252f',
    '..%c0%af',
    '%c0%ae%c0%ae/',
    '．．/',
    '..／',
    '..\u2215',
    '.\u202e./',
  ]
  const spellings = [
    ...[...up, ...coded].flatMap(way => [`${way}private/secret.mp4`, `${way}secret.mp4`]),
    ...['link.mp4', 'linked/secret.mp4', 'more/link.mp4', 'linked', '..', '../', '/', '//', '/etc/passwd', '/dev/zero'],
    ...['/proc/self/environ', '/proc/self/root/etc/passwd', '/proc/self/fd/0', '~/secret.mp4', '$HOME/secret.mp4'],
    ...[place('private', 'secret.mp4'), `${place('videos')}/../secret.mp4`, `${place('videos')}x/a.mp4`, 'none.mp4'],
    ...[
      'file:///etc/passwd',
      'file:a.mp4',
      'concat:a.mp4|a.mp4',
      'http://127.0.0.1:1/a.mp4',
      'pipe:0',
      'data:,x',
      'A.MP4 ',
    ],
  ]
  expect(new Set(spellings).size).toBeGreaterThanOrEqual(60)
  for (const path of spellings) {
    const { status, text } = await post('/videos', JSON.stringify({ path }))
    expect([403, 404], `${path}: ${status} ${text}`).toContain(status)
    expect(text, path).not.toContain(place())
    const listed = await server.call('GET', `/folders/0?path=${encodeURIComponent(path)}`)
    expect(listed.status, path).toBe(403)
    const still = await server.call('GET', `${media.still}${encodeURIComponent(path)}.jpg`)
    expect(still.status, path).toBe(404)
  }
})

test('a link that takes the place of a video at any moment leads nowhere', async () => {
  const target = place('videos', 'swapped.mp4')
  const secret = readFileSync(place('private', 'secret.mp4'))
  copyFileSync(place('videos', 'a.mp4'), place('real.mp4'))
  copyFileSync(place('videos', 'a.mp4'), target)
  let stop = false
  const swapping = (async () => {
    for (let at = 0; !stop; at++) {
      if (at % 2 === 0) symlinkSync(place('private', 'secret.mp4'), place('next'))
      else copyFileSync(place('real.mp4'), place('next'))
      renameSync(place('next'), target)
      await sleep(at % 3)
    }
  })()
  try {
    for (let at = 0; at < 40; at++) {
      const { status } = await post('/videos', '{"path":"swapped.mp4"}')
      expect([200, 403, 409, 422]).toContain(status)
      const { json, status: listed } = await server.call('GET', '/videos')
      expect(listed, JSON.stringify(json)).toBe(200)
      for (const { path, media } of routes.videos.reply.parse(json).videos) {
        expect(path).not.toContain('private')
        const served = await fetch(`${server.origin}${media.source}`, {
          headers: { range: `bytes=0-${secret.length}` },
        })
        const body = Buffer.from(await served.arrayBuffer())
        expect(body.includes('secret')).toBe(false)
      }
    }
  } finally {
    stop = true
    await swapping
    rmSync(target, { force: true })
  }
})

test('a link in the place of a known video is not indexed either', async () => {
  const target = place('videos', 'gone.mp4')
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-f', 'lavfi', '-i', 'testsrc=s=64x36:r=5:d=1', target])
  const { id } = routes.addVideo.reply.parse((await server.call('POST', '/videos', { path: 'gone.mp4' })).json)
  rmSync(target)
  symlinkSync(place('private', 'secret.mp4'), target)
  const begun = routes.index.reply.parse((await server.call('POST', `/videos/${id}/index`)).json)
  const { json } = await server.call('GET', `/jobs/${begun.job}?wait=30`)
  expect(routes.job.reply.parse(json)).toMatchObject({ state: 'failed', error: { code: 'unknown' } })
  expect(JSON.stringify((await server.call('GET', '/videos')).json)).not.toContain('private')
})

test('playlists and lists of files ask no server and read no file', async () => {
  let asked = 0
  const canary = createServer((_, response) => {
    asked++
    response.end()
  })
  await new Promise<void>(resolve => canary.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`
  const secret = place('private', 'secret.mp4')
  const m3u8 = (line: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${line}\n#EXT-X-ENDLIST\n`
  const crafted: Record<string, string> = {
    'list.m3u8': m3u8(`${url}/a.ts`),
    'list.mp4': m3u8(`${url}/a.ts`),
    'file.m3u8': m3u8(`file://${secret}`),
    'concat.m3u8': m3u8(`concat:${url}/a|file:///etc/passwd`),
    'key.m3u8': m3u8('a.mp4').replace('#EXTINF', `#EXT-X-KEY:METHOD=AES-128,URI="${url}/key"\n#EXTINF`),
    'list.ffconcat': `ffconcat version 1.0\nfile '${url}/a.mp4'\n`,
    'list.mkv': `ffconcat version 1.0\nfile '${secret}'\n`,
    'list.sdp': 'v=0\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n',
    'list.mpd': `<MPD><Period><AdaptationSet><Representation><BaseURL>${url}/</BaseURL></Representation></AdaptationSet></Period></MPD>`,
    'list.avs': `AviSource("${secret}")`,
    'list.ts': `${url}/a.ts`,
    'list.svg': `<svg xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="${url}/a.png"/></svg>`,
  }
  for (const [name, text] of Object.entries(crafted)) {
    writeFileSync(place('videos', name), text)
    const { status } = await post('/videos', JSON.stringify({ path: name }))
    expect(status, name).toBe(422)
    rmSync(place('videos', name))
  }
  canary.close()
  expect(asked).toBe(0)
})

test.skipIf(!isLinux)(
  `of a file of 20 GB fifty clients that pause hold next to no memory, and a flood of ranges leaves no file open${why}`,
  async () => {
    const reader = (header = '') => {
      const socket = connect({ port: server.port, host: '127.0.0.1', onread: undefined })
      socket.pause().on('error', () => {})
      socket.write(`GET ${big.source} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n${header}\r\n`)
      return socket
    }
    const [before, files] = [megabytes(), openFiles()]
    const paused = Array.from({ length: 50 }, () => reader())
    await sleep(1500)
    expect(megabytes() - before).toBeLessThan(150)
    for (const socket of paused) socket.destroy()
    for (let round = 0; round < 10; round++) {
      const flood = Array.from({ length: 30 }, (_, at) => reader(`Range: bytes=${at}-\r\n`))
      await sleep(10)
      for (const socket of flood) socket.destroy()
    }
    const multi = `bytes=${Array.from({ length: 1000 }, (_, at) => `${at}-${at}`)}`
    const refused = await fetch(`${server.origin}${big.source}`, { headers: { range: multi } })
    expect(refused.status).toBe(416)
    await expect.poll(openFiles).toBeLessThan(files + 5)
    await alive()
  },
)

test.skipIf(!isLinux)(`what a client sends for ever, or does not take, is not held in memory${why}`, async () => {
  const [host = '', bearer = ''] = own()
  const flood = async (first: string, piece: string) => {
    const socket = connect(server.port, '127.0.0.1')
    socket.pause().on('error', () => {}) // it takes no reply
    socket.write(first)
    const until = performance.now() + 1500
    while (performance.now() < until && !socket.destroyed) {
      if (!socket.writableNeedDrain) socket.write(piece)
      await sleep(socket.writableNeedDrain ? 5 : 0)
    }
    socket.destroy()
  }
  const before = megabytes()
  const line = (path: string) => `POST ${path} HTTP/1.1\r\n${host}\r\n`
  await flood(`${line('/api/videos')}Content-Length: 100000000000\r\n\r\n`, 'x'.repeat(65_536))
  await flood(
    `${line('/api/videos')}${bearer}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    '8000\r\n'.concat('x'.repeat(0x8000), '\r\n'),
  )
  await flood('', `GET /api/health HTTP/1.1\r\n${host}\r\n\r\n`.repeat(500))
  expect(megabytes() - before).toBeLessThan(150)
  expect(await alive()).toBeLessThan(5000)
})

test.skipIf(!isLinux)(`readers of events that do not read hold up nobody and no memory${why}`, async () => {
  const [files, before] = [openFiles(), megabytes()]
  const [host = '', bearer = ''] = own()
  const readers = Array.from({ length: 100 }, () => {
    const socket = connect(server.port, '127.0.0.1')
    socket.pause().on('error', () => {})
    socket.write(`GET /api/events HTTP/1.1\r\n${host}\r\n${bearer}\r\n\r\n`)
    return socket
  })
  await sleep(200)
  for (let at = 0; at < 40; at++) {
    const { job } = routes.index.reply.parse((await server.call('POST', `/videos/${video}/index`)).json)
    await server.call('DELETE', `/jobs/${job}`)
  }
  expect(await alive()).toBeLessThan(5000)
  expect(megabytes() - before).toBeLessThan(120)
  for (const socket of readers) socket.destroy()
  await expect.poll(openFiles).toBeLessThan(files + 10)
})

test('more than 1,024 connections are cut off, and those that say nothing are sent away', async () => {
  const silent: Socket[] = []
  for (let at = 0; at < 1300; at++) {
    silent.push(
      connect(server.port, '127.0.0.1')
        .on('error', () => {})
        .resume(),
    )
    if (at % 100 === 99) await sleep(20) // no more than the system keeps for the server to accept
  }
  const closed = () => silent.filter(socket => socket.destroyed || socket.readableEnded).length
  await expect.poll(closed).toBeGreaterThan(200)
  await expect.poll(() => alive().catch(() => -1)).toBeGreaterThan(0)
  await expect.poll(closed).toBe(silent.length)
})

test('a token is guessed ten times a second and no more', async () => {
  const guess = (at: number) => fetch(`${server.api}/videos`, { headers: { authorization: `Bearer guess-${at}` } })
  const began = performance.now()
  const replies = await Promise.all(Array.from({ length: 60 }, (_, at) => guess(at)))
  const seconds = (performance.now() - began) / 1000
  const tried = replies.filter(({ status }) => status === 401).length
  expect(tried).toBeGreaterThan(0)
  expect(tried).toBeLessThanOrEqual(10 + Math.ceil(10 * seconds))
  expect(replies.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('1')
  await sleep(1100)
  expect((await server.call('GET', '/jobs')).status).toBe(200)
})

test('the token is in nothing that was written or sent, and nothing was a fault of ours', async () => {
  const paths = [
    '/health',
    '/openapi.json',
    '/doctor',
    '/settings',
    '/videos',
    `/videos/${video}`,
    '/folders',
    '/jobs',
    '/runs',
  ]
  const said = await Promise.all(
    paths.map(path => fetch(`${server.api}${path}`, { headers: { authorization: own()[1]?.slice(15) ?? '' } })),
  )
  const sent = await Promise.all(said.map(async reply => `${JSON.stringify([...reply.headers])}${await reply.text()}`))
  expect(said.map(({ status }) => status)).toEqual(paths.map(() => 200))
  const kept = place('home', 'serve', 'token') // for the next start, and for this user only
  expect(statSync(kept).mode & 0o777).toBe(0o600)
  const written = readdirSync(place('home'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && join(entry.parentPath, entry.name) !== kept)
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
  const all = [...sent, ...written, server.said()].join('\n')
  for (const form of [
    server.token,
    Buffer.from(server.token).toString('base64'),
    Buffer.from(server.token).toString('hex'),
  ])
    expect(all.includes(form)).toBe(false)
  expect(server.said()).toBe('')
})
