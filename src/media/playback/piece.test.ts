import { execFileSync } from 'node:child_process'
import { openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { h264, type MediaFolder, mediaFolder, picture, tone } from '../../../tests/media-fixtures.ts'
import type { Span } from '../../core/time.ts'
import { filledSpans, headLength } from '../mp4/fragments.ts'
import { probe } from '../probe/probe.ts'
import { makePiece, pieceSpans } from './piece.ts'

let media: MediaFolder
beforeAll(() => {
  media = mediaFolder()
})
afterAll(() => media.remove())

const never = new AbortController().signal
const cut = async (path: string, span: Span, height = 720, signal = never) =>
  makePiece({ video: await probe(path), span, height, signal })
const first = { start: 0, end: 2 }

// What ffprobe says of the picture of a piece.
function shown(bytes: Buffer): Record<string, string> {
  writeFileSync(media.path('piece.mp4'), bytes)
  const fields =
    'stream=width,height,pix_fmt,color_space,color_transfer,color_primaries,color_range,sample_aspect_ratio'
  const args = ['-v', 'error', '-select_streams', 'v', '-show_entries', fields, '-of', 'default=nw=1']
  const text = execFileSync('ffprobe', [...args, media.path('piece.mp4')], { encoding: 'utf8' })
  return Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map(line => line.split('=')),
  )
}

const pixels = (bytes: Buffer): Buffer => {
  writeFileSync(media.path('piece.mp4'), bytes)
  return execFileSync('ffmpeg', [
    '-v',
    'error',
    '-i',
    media.path('piece.mp4'),
    '-frames:v',
    '1',
    '-f',
    'rawvideo',
    '-pix_fmt',
    'rgb24',
    '-',
  ])
}

test('pieces are six seconds, and a short rest belongs to the last', () => {
  const lengths = (duration: number) => pieceSpans(duration).map(({ start, end }) => end - start)
  expect(lengths(18)).toEqual([6, 6, 6])
  expect(lengths(18.4)).toEqual([6, 6, expect.closeTo(6.4)])
  expect(lengths(18.6)).toEqual([6, 6, 6, expect.closeTo(0.6)])
  expect(lengths(0.2)).toEqual([0.2])
  expect(pieceSpans(43_200)).toHaveLength(7200)
})

test('a picture comes upright, with square pixels and even sides, in the colours that it says', async () => {
  const wide = media.ffmpeg(
    'wide.mkv',
    ['-f', 'lavfi', '-i', 'color=red:s=321x243:r=25:d=2'],
    '-vf format=yuv444p,scale=321:243,setsar=4/3 -c:v ffv1',
  )
  expect(shown(await cut(wide, first))).toMatchObject({ width: '428', height: '244', sample_aspect_ratio: '1:1' })
  const lying = media.ffmpeg('lying.mp4', picture(2, '320x180'), h264)
  const turned = media.ffmpeg('turned.mp4', ['-i', lying], '-c copy -metadata:s:v rotate=90')
  expect(shown(await cut(turned, first, 160))).toMatchObject({
    ...{ width: '90', height: '160', pix_fmt: 'yuv420p', color_range: 'tv' },
    ...{ color_space: 'bt709', color_transfer: 'bt709', color_primaries: 'bt709' },
  })
})

test('HDR comes in standard range', async () => {
  const source = ['-f', 'lavfi', '-i', 'color=white:s=320x180:r=25:d=2']
  const tags = '-color_trc smpte2084 -color_primaries bt2020 -colorspace bt2020nc -x265-params log-level=error'
  const bright = media.ffmpeg('hdr.mkv', source, `-c:v libx265 -pix_fmt yuv420p10le ${tags}`)
  const bytes = await cut(bright, first)
  expect(shown(bytes)).toMatchObject({ pix_fmt: 'yuv420p', color_transfer: 'bt709' })
  expect(pixels(bytes)[0]).toBeGreaterThan(200)
})

test('all pieces of a video have one head, however they had to be made', async () => {
  const stands = "-vf select='eq(n\\,0)+between(n\\,160\\,324)' -fps_mode vfr"
  const path = media.ffmpeg('stands.mp4', picture(13, '160x90'), tone(13), stands, h264, '-c:a', 'aac')
  const spans = [...pieceSpans(13), { start: 0, end: 0.5 }]
  const made = await Promise.all(spans.map(span => cut(path, span)))
  const heads = made.map(bytes => bytes.subarray(0, headLength(bytes)).toString('base64'))
  expect(new Set(heads).size).toBe(1)
  for (const [n, span] of spans.entries()) {
    const { picture, sound } = filledSpans(made[n] as Buffer)
    for (const track of [picture, sound]) {
      expect(track?.start).toBeCloseTo(span.start, 1)
      expect(track?.end).toBeCloseTo(span.end, 1)
    }
  }
})

test('before the picture or the sound begins, and after it has ended, a piece is as long as any', async () => {
  const late = media.ffmpeg('late.mkv', ['-itsoffset', '8'], picture(8, '160x90'), tone(9), h264, '-c:a aac')
  const early = media.ffmpeg('early.mkv', picture(60, '160x90'), tone(8), h264, '-c:a aac')
  for (const [path, span] of [
    [late, { start: 0, end: 6 }],
    [late, { start: 6, end: 12 }],
    [late, { start: 12, end: 16 }],
    [early, { start: 6, end: 12 }],
    [early, { start: 12, end: 18 }],
  ] as const) {
    const { picture, sound } = filledSpans(await cut(path, span))
    for (const track of [picture, sound]) {
      expect(track?.start).toBeCloseTo(span.start, 1)
      expect(track?.end).toBeCloseTo(span.end, 1)
    }
  }
})

test('where nothing can be decoded it is black, so that a player goes on', async () => {
  const path = media.ffmpeg('hole.ts', picture(20, '160x90'), h264)
  const { length } = readFileSync(path)
  writeSync(openSync(path, 'r+'), Buffer.alloc(Math.floor(length * 0.5)), 0, undefined, Math.floor(length * 0.25))
  const bytes = await cut(path, { start: 6, end: 12 })
  expect(filledSpans(bytes).picture).toMatchObject({ start: expect.closeTo(6, 1), end: expect.closeTo(12, 1) })
})

test('one that nobody waits for any more is ended at once', async () => {
  const path = media.ffmpeg('long.mp4', picture(8, '1920x1080'), h264)
  const video = await probe(path)
  const leave = new AbortController()
  const made = makePiece({ video, span: { start: 0, end: 6 }, height: 1080, signal: leave.signal })
  setTimeout(() => leave.abort(), 100)
  const began = performance.now()
  await expect(made).rejects.toThrow('interrupted')
  expect(performance.now() - began).toBeLessThan(1500)
})
