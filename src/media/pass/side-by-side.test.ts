import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MediaFolder, mediaFolder, tone } from '../../../tests/media-fixtures.ts'
import { passSettings } from '../../../tests/support/pass-settings.ts'
import { InterruptedError } from '../../core/errors.ts'
import type { Video } from '../../core/video.ts'
import { probe } from '../probe/probe.ts'
import { decodePass, type PassReport } from './decode-pass.ts'

let media: MediaFolder
beforeAll(() => {
  media = mediaFolder()
})
afterAll(() => media.remove())

const fingerprint = (...parts: Uint8Array[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha1')).digest('hex')

const timeOf = (line: string) => line.split(' ')[0]

// Everything a pass gives: each frame with its time and pixels, each still with its time and bytes, and the sound.
async function decoded(video: Video, segments: number, opened?: 'by itself') {
  const frames: string[] = []
  const stills: string[] = []
  const sound = createHash('sha1')
  let report: PassReport = { errors: 0, notes: [] }
  const sinks = {
    small: ({ time, y, u, v }: { time: number; y: Uint8Array; u: Uint8Array; v: Uint8Array }) =>
      void frames.push(`${time} ${fingerprint(y, u, v)}`),
    still: ({ time, jpeg }: { time: number; jpeg: Uint8Array }) => void stills.push(`${time} ${fingerprint(jpeg)}`),
    audio: (pcm: Uint8Array) => void sound.update(pcm),
    ...(opened === 'by itself' && { keep }),
  }
  const settings = passSettings({ segments, stillsPerSecond: 2, stillWidth: 160 })
  report = await decodePass(video, settings, sinks, new AbortController().signal)
  const { segments: used, ...rest } = report
  return { used, content: { frames, stills, sound: sound.digest('hex'), rest } }
}

async function keep(name: string, bytes: Uint8Array): Promise<string> {
  writeFileSync(media.path(name), bytes)
  return media.path(name)
}

// In three pieces, the one in the middle has a seam at both ends; in five, decoders are also started one after the other.
async function sameInPieces(path: string, pieces = 3) {
  const video = await probe(path)
  const one = await decoded(video, 1)
  const many = await decoded(video, pieces)
  expect(one.used?.count).toBe(1)
  expect(many.content.frames.length).toBeGreaterThan(20)
  expect(many.content).toEqual(one.content)
  // Only a piece of an MP4 or MOV file is ever opened by itself.
  if (many.used?.count !== 1 && /mp4|mov/.test(video.container)) {
    const own = await decoded(video, pieces, 'by itself')
    expect(own.content).toEqual(one.content)
    expect(own.used).toEqual(many.used)
  }
  return many.used
}

// A picture that changes altogether every `shot` seconds, with a flash and a dissolve thrown in, and a line that moves.
const shots = (seconds: number, rate: number | string, shot = 1.3) => [
  ...['-f', 'lavfi', '-i'],
  `testsrc2=s=192x108:r=${rate}:d=${seconds},hue=h='90*floor(t/${shot})':b='if(between(mod(t\\,5)\\,2.4\\,2.45)\\,6\\,0)'`,
]
const x264 = (options: string) => `-c:v libx264 -preset ultrafast -pix_fmt yuv420p ${options}`

describe('pieces side by side give what one decoder gives', () => {
  test.each([
    ['keyframes at every cut', 25, '-c:v libx264 -preset veryfast -pix_fmt yuv420p -g 250'],
    ['closed groups with reordered frames', 25, '-c:v libx264 -preset fast -pix_fmt yuv420p -g 24 -bf 3'],
    ['open groups', 25, '-c:v libx264 -preset fast -pix_fmt yuv420p -g 20 -bf 3 -x264-params open-gop=1:scenecut=0'],
    ['23.976 frames a second', '24000/1001', x264('-g 24 -bf 2')],
    ['only keyframes', 25, '-c:v mjpeg -q:v 5'],
  ])('%s', async (name, rate, codec) => {
    const hasGroups = name.includes('groups')
    const [kinds, seconds, pieces] = hasGroups ? [['mp4', 'mkv'], 10, 5] : [['mp4'], 6, 3]
    for (const kind of kinds) {
      const file = `${name.replace(/\W/g, '-')}.${kind}`
      const path = media.ffmpeg(file, shots(seconds, rate), tone(seconds), codec, '-c:a aac')
      const used = await sameInPieces(path, pieces)
      expect(used?.count).toBeGreaterThan(1)
      expect(used?.why).toBeUndefined()
    }
  })

  test('a variable frame rate', async () => {
    const choose = "select='not(mod(n,7))+lt(mod(n,50),9)'"
    const path = media.ffmpeg('vfr.mp4', shots(8, 50), ['-vf', choose], '-fps_mode vfr', x264('-g 12 -bf 2'))
    expect(await sameInPieces(path)).toEqual({ count: 3, why: undefined })
  })

  test.each(['mp4', 'mkv', 'ts'])('a clock that starts at 100 s, in %s', async kind => {
    const path = media.ffmpeg(
      `late.${kind}`,
      shots(7, 30),
      tone(7),
      x264('-g 30 -bf 2'),
      '-c:a aac -output_ts_offset 100',
    )
    const used = await sameInPieces(path)
    expect(used).toEqual(kind === 'ts' ? { count: 1, why: expect.stringContaining('no index') } : { count: 3 })
  })

  test('an edit list that drops the first second', async () => {
    const whole = media.ffmpeg('uncut.mp4', shots(8, 25), tone(8), x264('-g 250 -bf 2'), '-c:a aac')
    const path = media.ffmpeg('cut.mp4', ['-ss', '1.1', '-i', whole], '-c copy')
    await sameInPieces(path)
  })

  test('HEVC with leading pictures that cannot be decoded after a seek', async () => {
    const hevc =
      '-c:v libx265 -preset ultrafast -pix_fmt yuv420p -x265-params log-level=error:keyint=20:open-gop=1:bframes=3'
    expect(await sameInPieces(media.ffmpeg('open.mkv', shots(5, 25), hevc))).toEqual({ count: 3, why: undefined })
  })

  test('a file with one keyframe is decoded in one go, and the report says so', async () => {
    const path = media.ffmpeg('one-key.mp4', shots(4, 25), x264('-g 9999 -keyint_min 9999 -sc_threshold 0'))
    expect(await sameInPieces(path)).toEqual({ count: 1, why: 'it has no keyframes in the middle' })
  })

  test('keyframes that later frames reach back over: the rest is decoded in one go, and the report says so', async () => {
    const path = media.ffmpeg(
      'refresh.mkv',
      shots(10, 25, 30),
      x264('-g 25 -bf 0 -x264-params intra-refresh=1:keyint=25:scenecut=0'),
    )
    const used = await sameInPieces(path, 4)
    if (used?.count !== 1) expect(used?.why).toContain('do not meet exactly')
  })

  test.each(['mp4', 'mkv'])('a broken %s file', async kind => {
    const whole = media.ffmpeg(`whole.${kind}`, shots(10, 25), tone(10), x264('-g 25'), '-c:a aac -movflags +faststart')
    const bytes = readFileSync(whole)
    writeFileSync(media.path(`torn.${kind}`), bytes.subarray(0, bytes.length * 0.6))
    for (let i = 0; i < 40; i++) bytes[Math.floor(bytes.length * (0.15 + 0.02 * i))]! ^= 0x55
    writeFileSync(media.path(`flipped.${kind}`), bytes)
    for (const name of [`torn.${kind}`, `flipped.${kind}`]) {
      // What a decoder paints over a hole depends on its threads; which frames there are, and when, does not.
      const video = await probe(media.path(name))
      const [one, many] = [await decoded(video, 1), await decoded(video, 4, 'by itself')]
      expect(many.content.frames.map(timeOf)).toEqual(one.content.frames.map(timeOf))
      expect(many.content.stills.map(timeOf)).toEqual(one.content.stills.map(timeOf))
      expect(many.content.rest.errors > 0).toBe(one.content.rest.errors > 0)
    }
  })
})

test('an abort in the middle stops all pieces, and a slow sink loses nothing', async () => {
  const path = media.ffmpeg('stop.mp4', shots(12, 25), tone(12), x264('-g 25'), '-c:a aac')
  const video = await probe(path)
  const settings = passSettings({ segments: 6 })
  const abort = new AbortController()
  let frames = 0
  const small = () => {
    if (++frames === 60) abort.abort()
  }
  await expect(decodePass(video, settings, { small, audio: () => {} }, abort.signal)).rejects.toBeInstanceOf(
    InterruptedError,
  )
  let slow = 0
  const sinks = {
    small: async () => {
      if (++slow % 10 === 0) await new Promise(resolve => setTimeout(resolve, 5))
    },
  }
  await decodePass(video, settings, sinks, new AbortController().signal)
  expect(slow).toBe(300)
  const full = () => {
    throw new Error('the disk is full')
  }
  await expect(decodePass(video, settings, { still: full }, new AbortController().signal)).rejects.toThrow(
    'disk is full',
  )
})
