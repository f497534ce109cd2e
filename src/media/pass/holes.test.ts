import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MediaFolder, mediaFolder, picture, tone } from '../../../tests/media-fixtures.ts'
import { passSettings } from '../../../tests/support/pass-settings.ts'
import { probe } from '../probe/probe.ts'
import { decodePass, type PassReport } from './decode-pass.ts'

let media: MediaFolder
beforeAll(() => {
  media = mediaFolder()
})
afterAll(() => media.remove())

async function report(path: string, settings: object = {}): Promise<PassReport> {
  const sinks = { small: () => undefined, audio: () => undefined }
  return decodePass(await probe(path), passSettings(settings), sinks, new AbortController().signal)
}

const codecs: Record<string, string> = {
  mkv: '-c:v libx264 -preset ultrafast -c:a aac',
  mp4: '-c:v libx264 -preset ultrafast -c:a aac -movflags +faststart',
  mov: '-c:v mpeg4 -c:a pcm_s16le -movflags +faststart',
  ts: '-c:v libx264 -preset ultrafast -c:a aac',
  flv: '-c:v flv -c:a mp3 -ar 44100',
  webm: '-c:v libvpx -deadline realtime -cpu-used 8 -c:a libopus',
}
const kinds = Object.keys(codecs)
const seconds = 24

const made = new Map<string, string>()

function whole(kind: string): string {
  const path =
    made.get(kind) ?? media.ffmpeg(`whole.${kind}`, picture(seconds, '160x90'), tone(seconds), '-g 25', codecs[kind]!)
  made.set(kind, path)
  return path
}

// A copy in which these shares of the bytes are zero.
function zeroed(path: string, name: string, ...parts: [number, number][]): string {
  const bytes = readFileSync(path)
  for (const [from, to] of parts) bytes.fill(0, Math.floor(bytes.length * from), Math.floor(bytes.length * to))
  writeFileSync(media.path(name), bytes)
  return media.path(name)
}

// The same for the packets of one stream.
function zeroedPackets(path: string, name: string, stream: string, from: number, to: number): string {
  const bytes = readFileSync(path)
  const listed = execFileSync('ffprobe', [
    ...['-v', 'error', '-select_streams', stream, '-show_entries', 'packet=pts_time,size,pos', '-of', 'csv=p=0', path],
  ]).toString()
  for (const line of listed.split('\n')) {
    const [time, size, pos] = line.split(',').map(Number)
    const payload = kind(path) === 'mkv' ? pos! + 7 : pos // the head of a block stays whole
    if (time! >= from && time! < to) bytes.fill(0, payload, pos! + size!)
  }
  writeFileSync(media.path(name), bytes)
  return media.path(name)
}

const kind = (path: string) => path.slice(path.lastIndexOf('.') + 1)

describe.each(kinds)('in %s', kind => {
  test('fault 04: the middle third of the bytes zeroed is a part that was not seen', async () => {
    const { picture, audio } = await report(zeroed(whole(kind), `hole.${kind}`, [1 / 3, 2 / 3]))
    expect(picture?.gaps).toHaveLength(1)
    const [gap] = picture?.gaps ?? []
    expect(gap!.start).toBeGreaterThan(seconds * 0.2)
    expect(gap!.start).toBeLessThan(seconds * 0.4)
    expect(gap!.end).toBeGreaterThan(seconds * 0.55)
    expect(gap!.end).toBeLessThan(seconds * 0.8)
    if (kind !== 'mov') expect(audio?.gaps?.[0]?.start).toBeCloseTo(gap!.start, -1) // zeros are silence in PCM
  })

  test('a frame that lasts twelve seconds in a recording of a screen is no hole', async () => {
    const still = media.ffmpeg(
      `still.${kind}`,
      picture(seconds, '160x90', 10),
      tone(seconds),
      ['-vf', "select='lt(t,6)+gt(t,18)'"],
      '-fps_mode vfr -g 25',
      codecs[kind]!,
    )
    const { picture: seen, audio } = await report(still)
    expect([seen?.gaps, audio?.gaps]).toEqual([undefined, undefined])
  })
})

test('fault 04: two holes are two parts that were not seen, at each number of pieces', async () => {
  const path = zeroed(whole('mkv'), 'two.mkv', [0.2, 0.35], [0.6, 0.75])
  const [one, many] = [await report(path, { segments: 1 }), await report(path, { segments: 6 })]
  expect(one.picture?.gaps).toHaveLength(2)
  expect(many.picture?.gaps).toEqual(one.picture?.gaps)
  expect(many.audio?.gaps).toEqual(one.audio?.gaps)
})

describe.each(['mkv', 'mp4'])('fault 04: a hole in one stream of %s', kind => {
  test('is a hole in the picture alone', async () => {
    const { picture, audio } = await report(zeroedPackets(whole(kind), `picture.${kind}`, 'v', 8, 14))
    expect(picture?.gaps).toHaveLength(1)
    expect(picture?.gaps?.[0]?.start).toBeCloseTo(8, 0)
    expect(picture?.gaps?.[0]?.end).toBeCloseTo(14, 0)
    expect(audio?.gaps).toBeUndefined()
  })

  test('is a hole in the sound alone', async () => {
    const { picture, audio } = await report(zeroedPackets(whole(kind), `sound.${kind}`, 'a', 8, 14))
    expect(audio?.gaps).toHaveLength(1)
    expect(audio?.gaps?.[0]?.start).toBeCloseTo(8, 0)
    expect(picture?.gaps).toBeUndefined()
  })
})

test('fault 04: a Matroska file whose beginning is damaged keeps its own clock', async () => {
  const bytes = readFileSync(whole('mkv'))
  bytes.fill(0, bytes.indexOf(Buffer.from([0x1f, 0x43, 0xb6, 0x75])), Math.floor(bytes.length * 0.4))
  const path = media.path('head.mkv')
  writeFileSync(path, bytes)
  const video = await probe(path)
  expect([video.start, video.duration]).toEqual([0, expect.closeTo(seconds, 0)])
  const { picture: seen, audio } = await report(path)
  expect(seen?.first).toBeGreaterThan(6)
  expect(audio?.gaps?.[0]).toMatchObject({ start: 0 })
})

test('fault 04: an AVI file keeps no times, so nothing after its hole counts as seen', async () => {
  const path = media.ffmpeg('whole.avi', picture(seconds, '160x90'), tone(seconds), '-g 25 -c:v mpeg4 -c:a mp3')
  const { picture: seen, notes } = await report(zeroed(path, 'hole.avi', [1 / 3, 2 / 3]))
  expect(seen?.gaps?.[0]?.end).toBeCloseTo(seconds, 0)
  expect(seen?.gaps?.[0]?.start).toBeLessThan(seconds / 2)
  expect(notes.join()).toContain('is found earlier than it is shown')
})

test('level quick: keyframes that lie ten seconds apart are no holes, and a hole is one', async () => {
  const path = media.ffmpeg('keys.mkv', picture(120, '160x90'), '-g 125 -c:v libx264 -preset ultrafast')
  expect((await report(path, { level: 'quick' })).picture?.gaps).toBeUndefined()
  const broken = await report(zeroed(path, 'keys-hole.mkv', [0.4, 0.7]), { level: 'quick' })
  expect(broken.picture?.gaps).toHaveLength(1)
})

test('slides of five seconds each have no holes, and the last one stays until the end', async () => {
  for (const kind of ['mp4', 'mkv']) {
    const slides = media.ffmpeg(
      `slides.${kind}`,
      picture(60, '160x90', 1),
      ['-vf', "select='not(mod(n,5))'"],
      '-fps_mode vfr -c:v libx264 -preset ultrafast',
    )
    const { picture: seen } = await report(slides)
    expect(seen?.gaps).toBeUndefined()
    expect(seen?.frames).toBe(12)
  }
})

test('frames before the zero of the clock are seen at their times', async () => {
  const path = media.ffmpeg(
    'before.mkv',
    picture(10, '160x90'),
    tone(10),
    '-c:v libx264 -preset ultrafast -g 25 -c:a aac -output_ts_offset -3 -avoid_negative_ts disabled',
  )
  const video = await probe(path)
  expect(video.duration).toBeCloseTo(10, 0)
  const times: number[] = []
  const sinks = { small: ({ time }: { time: number }) => void times.push(time), audio: () => undefined }
  const made = await decodePass(video, passSettings(), sinks, new AbortController().signal)
  expect(times).toHaveLength(250)
  expect(Math.max(...times.map((time, i) => Math.abs(time - times[0]! - i / 25)))).toBeLessThan(0.01)
  expect(made.notes).toEqual([])
})
