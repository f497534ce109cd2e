import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { routes } from '../../src/core/api/routes.ts'
import type { VideoDetails } from '../../src/core/api/video.ts'
import { type MediaFolder, mediaFolder, tone } from '../media-fixtures.ts'
import { chromiumPath, launchChromium, noChromium } from '../support/chromium.ts'
import { numbered, numberIn } from './frame-number.ts'
import { type Serving, startServer } from './serving.ts'

// One server over clips whose frames are numbered. What a player gets is read by ffmpeg, and shown by Chromium.

const seconds = 14
const clip = (rate: string, filter = '') => [
  ...['-f', 'lavfi', '-i', `color=black:s=320x180:r=${rate}:d=${seconds}`, ...tone(seconds)],
  ...['-vf', `${numbered}${filter},format=yuv420p`],
]
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '100', '-c:a', 'aac']
const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error:keyint=100', '-c:a', 'aac']
const few = ",select='eq(mod(n\\,170)\\,0)+between(n\\,260\\,270)+gte(n\\,345)'"
const uneven = ",select='lt(mod(n*n\\,97)\\,70)'"
const files: Record<string, string[]> = {
  'old.avi': [...clip('25'), '-c:v', 'mpeg4', '-q:v', '3', '-g', '100', '-c:a', 'mp3'],
  'broadcast.ts': [...clip('25'), ...h264],
  'phone.mp4': [...clip('30000/1001'), ...hevc, '-tag:v', 'hvc1'],
  'late.mkv': [...clip('24'), ...h264, '-output_ts_offset', '100'],
  'uneven.mkv': [...clip('30', uneven), '-fps_mode', 'vfr', ...h264],
  'silent.mkv': [...clip('25'), ...h264, '-an'],
  'slides.mp4': [...clip('25', few), '-fps_mode', 'vfr', ...h264],
}
const held = ['slides.mp4', 'uneven.mkv']
const exact = Object.keys(files).filter(name => !held.includes(name))

let media: MediaFolder
let server: Serving
const videos: Record<string, VideoDetails> = {}
const times: Record<string, number[]> = {} // of each file's frames, on our clock

beforeAll(async () => {
  media = mediaFolder()
  for (const [name, args] of Object.entries(files)) media.ffmpeg(name, args)
  media.ffmpeg('talk.wma', tone(seconds), '-c:a', 'wmav2')
  server = await startServer([media.path('')], media.path('home'))
  for (const name of [...Object.keys(files), 'talk.wma']) videos[name] = await add(name)
  for (const name of Object.keys(files)) times[name] = await ourTimes(name)
})
afterAll(async () => {
  await server?.stop()
  media?.remove()
})

async function add(path: string): Promise<VideoDetails> {
  const { json, status } = await server.call('POST', '/videos', { path })
  expect(status, JSON.stringify(json)).toBe(200)
  return routes.addVideo.reply.parse(json)
}

// Not blocking: connections that are kept open would time out meanwhile.
const run = promisify(execFile)
const asked = (path: string, stream: 'v' | 'a', ...about: string[]) =>
  run('ffprobe', ['-v', 'error', '-select_streams', stream, ...about, '-of', 'csv=p=0', path]).then(({ stdout }) =>
    stdout.trim().split('\n'),
  )

// In the order in which they are shown. What players drop before the first sample is no sound.
async function packets(path: string, stream: 'v' | 'a'): Promise<number[]> {
  const lines = await asked(path, stream, '-show_entries', 'packet=pts_time')
  return lines
    .filter(line => /^\d/.test(line))
    .map(Number.parseFloat)
    .sort((a, b) => a - b)
}

// Second 0 is the first picture or sound.
async function ourTimes(name: string): Promise<number[]> {
  const [frames, sound] = await Promise.all([packets(media.path(name), 'v'), packets(media.path(name), 'a')])
  const start = Math.min(...frames.slice(0, 1), ...sound.slice(0, 1))
  return frames.map(time => time - start)
}

const load = async (path: string) => {
  const response = await fetch(`${server.origin}${path}`)
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(response.status, `${path} ${bytes.toString('latin1', 0, 200)}`).toBe(200)
  return bytes
}

// The pieces that the playlist names, behind their head: whole, and one by one.
async function pieces(name: string): Promise<{ whole: string; single: string[]; lengths: number[] }> {
  const list = videos[name]?.media.hls ?? ''
  const lines = (await load(list)).toString('utf8').split('\n')
  const beside = (file: string) => load(list.replace('index.m3u8', file))
  const head = await beside(/URI="(.*)"/.exec(lines.join('\n'))?.[1] ?? '')
  const bodies = []
  for (const file of lines.filter(line => /^\d+\.m4s$/.test(line))) bodies.push(await beside(file))
  const save = (file: string, parts: Buffer[]) => {
    writeFileSync(media.path(file), Buffer.concat([head, ...parts]))
    return media.path(file)
  }
  return {
    whole: save(`${name}.whole.mp4`, bodies),
    single: bodies.map((body, n) => save(`${name}.${n}.mp4`, [body])),
    lengths: lines.flatMap(line => (line.startsWith('#EXTINF:') ? [Number.parseFloat(line.slice(8))] : [])),
  }
}

test.each(exact)(
  'the pieces of %s hold every frame of the file once, at its time, and sound without a seam',
  async name => {
    const { whole, single, lengths } = await pieces(name)
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeCloseTo(videos[name]?.duration ?? 0, 3)
    expect(lengths.slice(0, -1)).toEqual([6, 6])
    const shown = await packets(whole, 'v')
    const own = times[name] ?? []
    const wanted = (own[0] ?? 0) > 0.1 ? [0, ...own] : own // the first picture stands from the beginning on
    expect(shown).toHaveLength(wanted.length)
    const worst = Math.max(...shown.map((time, n) => Math.abs(time - (wanted[n] ?? 0))))
    expect(worst).toBeLessThan(0.0015)
    for (const [n, piece] of single.entries()) {
      const [first] = await packets(piece, 'v')
      expect(first).toBeGreaterThanOrEqual(6 * n - 0.0001)
      if (!videos[name]?.sound) continue
      const counts = await asked(piece, 'a', '-show_entries', 'frame=nb_samples')
      const samples = counts.reduce((sum, line) => sum + Number.parseInt(line, 10), 0)
      expect((await packets(piece, 'a'))[0]).toBeCloseTo(6 * n, 4)
      expect(samples).toBe(Math.round((lengths[n] ?? 0) * 48_000))
    }
    await run('ffmpeg', ['-v', 'error', '-xerror', '-i', whole, '-f', 'null', '-']) // every byte can be decoded
  },
)

test.each(held)(
  '%s: where a frame stands for long, a piece begins and ends with the frame that is on screen',
  async name => {
    const { single, lengths } = await pieces(name)
    let start = 0
    for (const [n, piece] of single.entries()) {
      const shown = await packets(piece, 'v')
      const end = start + (lengths[n] ?? 0)
      expect((shown[0] ?? 99) - start).toBeLessThan(name === 'slides.mp4' ? 0.001 : 0.1)
      expect(shown.at(-1)).toBeGreaterThan(end - 0.15)
      const inside = (times[name] ?? []).filter(time => time >= start && time < end - 0.001)
      for (const time of inside)
        expect(
          shown.some(one => Math.abs(one - time) < 0.0015),
          `${time}`,
        ).toBe(true)
      start = end
    }
  },
)

test('a video without an index has a still, which is kept', async () => {
  const [entry] = Object.values(videos)
  const address = `${entry?.media.still}1.00.jpg`
  const first = await load(address)
  expect(first.readUInt16BE()).toBe(0xffd8)
  expect((await load(address)).equals(first)).toBe(true)
  const kept = readdirSync(join(media.path('home'), 'playback'), { recursive: true }).map(String)
  expect(kept.filter(name => name.endsWith('1000.jpg'))).toHaveLength(1)
})

test('what is only heard comes in pieces as well', async () => {
  const { whole } = await pieces('talk.wma')
  expect(videos['talk.wma']?.playback).toBe('hls')
  expect((await packets(whole, 'a')).at(-1)).toBeGreaterThan(seconds - 0.5)
})

test('what the browser may play itself is said with its codecs', () => {
  const ways = Object.entries(videos).map(([name, { playback, type }]) => [name, playback, type])
  expect(ways).toEqual([
    ['old.avi', 'hls', 'application/octet-stream'],
    ['broadcast.ts', 'hls', 'application/octet-stream'],
    ['phone.mp4', 'direct', 'video/mp4; codecs="hvc1.1.6.L60.B0, mp4a.40.2"'],
    ['late.mkv', 'direct', 'video/x-matroska; codecs="avc1.4D400C, mp4a.40.2"'],
    ['uneven.mkv', 'direct', expect.stringMatching(/^video\/x-matroska; codecs="avc1\.4D40/)],
    ['silent.mkv', 'direct', 'video/x-matroska; codecs="avc1.4D400C"'],
    ['slides.mp4', 'direct', expect.stringMatching(/^video\/mp4; codecs="avc1\.4D40.., mp4a\.40\.2"/)],
    ['talk.wma', 'hls', 'application/octet-stream'],
  ])
})

test('a clip is a file of its own, with sound, from the second that was asked for', async () => {
  const { clip: address = '' } = videos['broadcast.ts']?.media ?? {}
  writeFileSync(media.path('clip.mp4'), await load(`${address}?from=5.5&to=8`))
  const frames = await packets(media.path('clip.mp4'), 'v')
  expect(frames.length / 25).toBeCloseTo(2.5, 1)
  expect((await packets(media.path('clip.mp4'), 'a')).at(-1)).toBeGreaterThan(2.3)
  const raw = ['-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'gray', '-']
  const read = ['-v', 'error', '-i', media.path('clip.mp4'), ...raw]
  const { stdout: first } = await run('ffmpeg', read, { encoding: 'buffer' })
  const shown = times['broadcast.ts']?.findIndex(time => time >= 5.5)
  expect(numberIn(first, 320, 1)).toBe(shown)
  const part = await fetch(`${server.origin}${address}?from=5.5&to=8`, { headers: { range: 'bytes=0-9' } })
  expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10])
  for (const asked of [
    '',
    '?from=2',
    '?from=3&to=3',
    '?from=a&to=4',
    '?from=1e1&to=20',
    '?from=99&to=100',
    '?from=-1&to=2',
  ])
    expect.soft((await fetch(`${server.origin}${address}${asked}`)).status, asked).toBe(400)
})

test('a piece that is not there, another signature and a file that was changed are refused', async () => {
  const list = videos['silent.mkv']?.media.hls ?? ''
  const status = async (path: string) => (await fetch(`${server.origin}${path}`)).status
  for (const file of ['3.m4s', '00.m4s', '-1.m4s', '9999999.m4s', 'x.m4s', 'init.m4s', '..%2F0.m4s'])
    expect.soft(await status(list.replace('index.m3u8', file)), file).toBe(404)
  const other = list.replace(videos['silent.mkv']?.id ?? '', videos['old.avi']?.id ?? '')
  expect(await status(other)).toBe(404)
  expect(await status(other.replace('index.m3u8', '0.m4s'))).toBe(404)
  writeFileSync(media.path('silent.mkv'), 'x')
  expect(await status(list.replace('index.m3u8', '0.m4s'))).toBe(409)
})

describe.skipIf(!chromiumPath())(`in Chromium${noChromium}`, () => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    browser = await launchChromium()
    page = await browser.newPage()
    await page.route(`${server.origin}/test/`, route =>
      route.fulfill({ body: '<video muted></video>', contentType: 'text/html' }),
    )
    await page.goto(`${server.origin}/test/`)
    await page.addScriptTag({ path: createRequire(import.meta.url).resolve('hls.js/dist/hls.light.min.js') })
    await page.addScriptTag({ path: join(import.meta.dirname, 'player.js') })
  })
  afterAll(() => browser?.close())

  const seconds = [3.02, 5.97, 6.03, 11.9, 12.5, 0.5, 13.4, 1.234, 8.888, 7.5]
  test.each([
    ...['old.avi', 'phone.mp4', 'broadcast.ts', 'late.mkv', 'slides.mp4'].map(name => [name, 'its own HLS']),
    ['late.mkv', 'hls.js'],
  ])('%s by %s shows the frame of the second that was asked for', async (name = '', how) => {
    await page.evaluate(`openPlayer(${JSON.stringify(videos[name]?.media.hls)}, '${how}')`)
    for (const second of seconds) {
      const { pixels, width } = Picture.parse(await page.evaluate(`seekTo(${second})`))
      const place = times[name]?.findLastIndex(time => time <= second) ?? -1
      const near = [place - 1, place, place + 1].map(at => numberOf(name, at))
      expect.soft(near, `${second} of ${name}`).toContain(numberIn(Uint8Array.from(pixels), width, 4))
    }
  })
})

// Last, as the server does not come back as it was.
test.skipIf(process.platform !== 'linux')(
  'a server that is killed while it makes a piece leaves no half file, and no ffmpeg',
  async () => {
    const list = videos['uneven.mkv']?.media.hls ?? ''
    const folder = join(media.path('home'), 'playback')
    rmSync(folder, { recursive: true, force: true })
    fetch(`${server.origin}${list.replace('index.m3u8', '1.m4s')}`).catch(() => {})
    await until(() => programsWith('uneven.mkv').length > 0)
    await server.kill()
    await until(() => programsWith('uneven.mkv').length === 0)
    server = await startServer([media.path('')], media.path('home'))
    videos['uneven.mkv'] = await add('uneven.mkv')
    await pieces('uneven.mkv')
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.includes('.'))
    expect(names.map(name => basename(name)).sort()).toEqual(['0.m4s', '1.m4s', '2.m4s', 'head.mp4'])
  },
)

// The running programs that have a word among their arguments.
function programsWith(word: string): string[] {
  return readdirSync('/proc').filter(pid => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return command.startsWith('ffmpeg') || /^\S*\/ffmpeg\0/.test(command) ? command.includes(media.path(word)) : false
    } catch {
      return false // it has ended
    }
  })
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1000 && !isSo(); tries++) await sleep(10)
  expect(isSo()).toBe(true)
}

const Picture = z.object({ pixels: z.array(z.number()), width: z.number() })

// The number that is written in a frame of a file.
function numberOf(name: string, place: number): number {
  return name === 'slides.mp4' ? Math.round((times[name]?.[place] ?? -1) * 25) : place
}
