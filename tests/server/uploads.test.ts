import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Problem } from '../../src/core/api/problem.ts'
import { routes } from '../../src/core/api/routes.ts'
import { h264, type MediaFolder, mediaFolder, picture, tone } from '../media-fixtures.ts'
import { type Serving, startServer } from './serving.ts'

const limit = 5_000_000

let media: MediaFolder
let server: Serving
let clip: Buffer
const home = () => media.path('home')
const start = (folder = home(), gigabytes = limit / 1e9) =>
  startServer(['--set', `serve.uploadGigabytes=${gigabytes}`], folder)

beforeAll(async () => {
  media = mediaFolder()
  clip = readFileSync(media.ffmpeg('clip.mp4', picture(3), tone(3), h264, '-c:a', 'aac', '-shortest'))
  server = await start()
})
afterAll(async () => {
  await server?.stop()
  media?.remove()
})

interface Sent {
  status: number
  text: string
}

// Sent as it comes: without a length, piece by piece where a stream is given.
async function send(
  to: Serving,
  body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { name = 'clip.mp4', path = '/uploads', headers = {} }: { name?: string; path?: string; headers?: object } = {},
): Promise<Sent> {
  const agent = new Agent({ keepAlive: true })
  const sending = request(`${to.api}${path}?name=${encodeURIComponent(name)}`, {
    ...{ method: 'POST', headers: { authorization: `Bearer ${to.token}`, ...headers } },
    agent, // a connection of its own: one that the last refusal closes is not taken up again
  })
  const replied = new Promise<IncomingMessage>((resolve, reject) => {
    sending.once('response', resolve)
    sending.once('error', reject)
  })
  let isOver = false
  const stop = () => {
    isOver = true
  }
  replied.then(stop, stop)
  // As clients do, it looks for a reply between two pieces, and stops when it has one.
  const untilReplied = async function* () {
    for await (const piece of body) {
      if (isOver) return
      yield piece
      await turn()
    }
  }
  pipeline(untilReplied(), sending).catch(() => {})
  const reply = await replied
  let text = ''
  for await (const piece of reply.setEncoding('utf8')) text += piece
  agent.destroy()
  return { status: reply.statusCode ?? 0, text }
}

const kept = async (to: Serving, body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, name?: string) => {
  const { status, text } = await send(to, body, { name })
  expect(status, text).toBe(201)
  return routes.upload.reply.parse(JSON.parse(text))
}
const codeOf = ({ status, text }: Sent) => [status, Problem.parse(JSON.parse(text)).error.code]
const uploads = (folder = home()) => (existsSync(`${folder}/uploads`) ? readdirSync(`${folder}/uploads`) : [])
const zeros = (bytes: number) => Readable.from(pieces(bytes))
function* pieces(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= 65_536) yield Buffer.alloc(Math.min(left, 65_536))
}
// A video of any size: what follows the file is a box that every reader passes over.
function* padded(bytes: number): Generator<Buffer> {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(bytes + 8)
  yield clip
  yield Buffer.concat([head.subarray(0, 4), Buffer.from('free')])
  yield* pieces(bytes)
}

test('a file that was sent is added, has the name that it was sent under, and is one file however often it is sent', async () => {
  const { upload, name, bytes } = await kept(server, [clip], 'C:\\Films\\holiday.mp4')
  expect({ name, bytes }).toEqual({ name: 'holiday.mp4', bytes: clip.length })
  expect((await kept(server, [clip], 'again.mp4')).upload).toBe(upload)
  expect(uploads()).toEqual([upload])
  const added = await server.call('POST', '/videos', { upload })
  const video = routes.addVideo.reply.parse(added.json)
  expect(video).toMatchObject({ name: 'holiday.mp4', playback: 'direct', state: 'waiting' })
  expect(readFileSync(video.path).equals(clip)).toBe(true)
  expect((await server.call('POST', '/videos', { upload: 'u00000000000000000000' })).status).toBe(404)
  expect((await server.call('POST', '/videos', { upload: '../home' })).status).toBe(404)
})

test.each([
  ['that climbs', '../../x', 'x'],
  ['with a NUL', 'a\0b.mp4', 'a\u2400b.mp4'],
  ['that turns the writing round', '\u202Egpj.mp4', '\\u202egpj.mp4'],
  ['of 3000 bytes', 'x'.repeat(3000), 'x'.repeat(255)],
  ['of dots', '..', '..'],
])('a name %s is for people only', async (_, given, shown) => {
  const own = Buffer.concat([
    clip,
    Buffer.from([0, 0, 0, 12, 0x66, 0x72, 0x65, 0x65]),
    Buffer.from(given).subarray(0, 4),
  ])
  own.writeUInt32BE(own.length - clip.length, clip.length)
  const { upload, name } = await kept(server, [own], given)
  expect(name).toBe(shown)
  expect(upload).toMatch(/^u[0-9a-f]{20}$/)
  const files = readdirSync(`${home()}/uploads/${upload}`).sort()
  expect(files).toEqual([`${upload}.mp4`, 'upload.json'])
  rmSync(`${home()}/uploads/${upload}`, { recursive: true })
})

test('three times the limit is refused, said beforehand or not, and leaves nothing', async () => {
  const before = uploads()
  expect(codeOf(await send(server, zeros(3 * limit)))).toEqual([413, 'too_large'])
  const said = { 'content-length': String(3 * limit) }
  expect(codeOf(await send(server, zeros(3 * limit), { headers: said }))).toEqual([413, 'too_large'])
  expect(uploads()).toEqual(before)
})

test('what is no video, nothing at all, and a form are refused, and leave nothing', async () => {
  const before = uploads()
  expect(codeOf(await send(server, [Buffer.from('#EXTM3U\nfile:///etc/passwd\n')]))).toEqual([422, 'unreadable'])
  expect(codeOf(await send(server, [Buffer.alloc(1000)]))).toEqual([422, 'unreadable'])
  expect(codeOf(await send(server, []))).toEqual([400, 'usage'])
  const form = { 'content-type': 'multipart/form-data; boundary=x' }
  expect(codeOf(await send(server, [clip], { headers: form }))).toEqual([400, 'usage'])
  expect(codeOf(await send(server, [clip], { headers: { authorization: 'Bearer x' } }))).toEqual([401, 'token'])
  expect(uploads()).toEqual(before)
})

test.each([
  ['in its file', 'filename="b.mp4"\r\n\r\n0123456789'],
  ['in its head', 'filename="b'],
  ['before its file', 'filename="b.mp4"\r\n\r\n'],
])('a form that is cut off %s is refused, and the server goes on', async (_, rest) => {
  const body = [Buffer.from(`--x\r\nContent-Disposition: form-data; name="file"; ${rest}`)]
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  expect((await send(server, body, { path: '/../v1/files', headers })).status).toBe(400)
  expect((await server.call('GET', '/health')).status).toBe(200)
})

test.each([
  ['two files', 2, 0],
  ['too many fields', 1, 30],
])(
  'a form with %s is refused at once',
  async (_, files, fields) => {
    const part = (head: string, body: Buffer | string) =>
      Buffer.concat([
        Buffer.from(`--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
        Buffer.from(body),
        Buffer.from('\r\n'),
      ])
    const body = [
      ...Array.from({ length: fields }, (_, at) => part(`name="f${at}"`, 'x')),
      ...Array.from({ length: files }, (_, at) =>
        part(`name="file"; filename="${at}.mp4"`, Buffer.concat([clip, Buffer.alloc(200_000)])),
      ),
      Buffer.from('--x--\r\n'),
    ]
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const { status, text } = await send(server, body, { path: '/../v1/files', headers })
    expect(status, text).toBe(400)
  },
  15_000,
)

test.each(['/uploads', '/../v1/files'])('a client that leaves %s half-way is no fault of longtake', async path => {
  const before = server.said()
  const type = path === '/uploads' ? 'video/mp4' : 'multipart/form-data; boundary=x'
  const sending = request(`${server.api}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': type, 'content-length': '4000000' },
  })
  sending.on('error', () => {})
  const known = new Set(uploads())
  const isReceiving = () => uploads().some(name => !known.has(name))
  if (path !== '/uploads') sending.write('--x\r\nContent-Disposition: form-data; name="file"; filename="b.mp4"\r\n\r\n')
  sending.write(clip)
  await until(isReceiving)
  sending.destroy()
  await until(() => !isReceiving())
  expect((await server.call('GET', '/health')).status).toBe(200)
  expect(server.said().slice(before.length)).toBe('')
})

test('a client that leaves half-way leaves nothing behind', async () => {
  const before = uploads()
  const sending = request(`${server.api}/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, 'content-length': String(clip.length) },
  })
  sending.on('error', () => {})
  sending.write(clip.subarray(0, clip.length / 2))
  await until(() => uploads().length > before.length)
  sending.destroy()
  await until(() => uploads().length === before.length)
  expect(uploads()).toEqual(before)
})

test('a server that is killed during an upload leaves nothing once it runs again', async () => {
  const folder = media.path('killed')
  const killed = await start(folder)
  const { upload } = await kept(killed, [clip])
  const endless = async function* () {
    yield clip
    await sleep(60_000, undefined, { ref: false })
  }
  send(killed, endless()).catch(() => {})
  await until(() => uploads(folder).length > 1)
  await killed.kill()
  expect(uploads(folder)).toHaveLength(2)
  const again = await start(folder)
  expect(uploads(folder)).toEqual([upload])
  expect((await again.call('POST', '/videos', { upload })).status).toBe(200)
  await again.stop()
})

test.skipIf(process.platform !== 'linux')('400 MB go to the disk and not to the memory', async () => {
  const large = await start(media.path('large'), 20)
  const most = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${large.pid}/status`, 'utf8'))?.[1]) / 1024
  await kept(large, [clip])
  const before = most()
  const { bytes } = await kept(large, padded(400_000_000))
  const form = (async function* () {
    yield Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="b.mp4"\r\n\r\n')
    yield* padded(100_000_000)
    yield Buffer.from('\r\n--x--\r\n')
  })()
  const type = { 'content-type': 'multipart/form-data; boundary=x' }
  const { status, text } = await send(large, form, { path: '/../v1/files', headers: type })
  expect(status, text).toBe(200)
  expect(bytes).toBe(clip.length + 400_000_008)
  expect(most() - before).toBeLessThan(100) // MB
  await large.stop()
})

const disk = mountable()

test.skipIf(!disk)('on a full disk it is 507, and nothing is left [needs root]', async () => {
  const folder = disk as string
  const full = await start(folder, 20)
  try {
    const said = { 'content-length': '90000000' }
    expect(codeOf(await send(full, zeros(90_000_000), { headers: said }))).toEqual([507, 'storage'])
    execFileSync('mount', ['-o', 'remount,size=68m', folder])
    expect(codeOf(await send(full, padded(80_000_000)))).toEqual([507, 'storage'])
    expect(uploads(folder)).toEqual([])
    execFileSync('mount', ['-o', 'remount,size=200m', folder])
    expect(uploads(folder)).toEqual([])
    await kept(full, [clip])
  } finally {
    await full.stop()
    execFileSync('umount', [folder])
    rmSync(folder, { recursive: true })
  }
})

// A small disk of its own, where this user may mount one.
function mountable(): string | undefined {
  const folder = `/tmp/longtake-upload-disk-${process.pid}`
  try {
    mkdirSync(folder)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=120m', 'tmpfs', folder], { stdio: 'ignore' })
    return folder
  } catch {
    return undefined
  }
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400 && !isSo(); tries++) await sleep(25)
  expect(isSo()).toBe(true)
}
