import { execFileSync } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { h264, type MediaFolder, mediaFolder, picture, tone } from '../../tests/media-fixtures.ts'
import { BackendError } from '../core/errors.ts'
import { decodeFrames } from './frames.ts'
import { probe } from './probe/probe.ts'

// A picture that tells its own frame number: grey that is 10 levels brighter with every frame, over and over.
const counting = (frames: number, rate = 10) => [
  '-f',
  'lavfi',
  '-i',
  `color=black:s=64x48:r=${rate}:d=${frames / rate},format=yuv444p,geq=lum='20+10*mod(N\\,20)':cb=128:cr=128`,
]
const numberOf = (rgb: Uint8Array) => Math.round(((rgb[0]! * 219) / 255 + 16 - 20) / 10)
const exact = '-c:v libx264 -qp 0 -pix_fmt yuv444p -g 10'

// Overwrites every packet of the file but those that are shown at these seconds.
function blankAllBut(path: string, seconds: number[]): void {
  const fields = ['-show_entries', 'packet=pts_time,pos,size', '-of', 'csv=p=0']
  const listed = execFileSync('ffprobe', ['-v', 'error', ...fields, path], { encoding: 'utf8' })
  const bytes = readFileSync(path)
  for (const line of listed.trim().split('\n')) {
    const [time, size, at] = line.split(',').map(Number)
    if (!seconds.includes(time!)) bytes.fill(0, at!, at! + size!)
  }
  writeFileSync(path, bytes)
}

// How many programs are started.
async function startsFor(work: () => Promise<unknown>): Promise<number> {
  let started = 0
  const count = () => started++
  subscribe('child_process', count)
  await work().finally(() => unsubscribe('child_process', count))
  return started
}

let media: MediaFolder
beforeAll(() => {
  media = mediaFolder()
})
afterAll(() => media.remove())

describe('frames from the file', () => {
  test.each(['mp4', 'mkv', 'ts'])('are the ones on screen at that moment (%s)', async kind => {
    const video = await probe(media.ffmpeg(`count.${kind}`, counting(20), exact, '-bf 2'))
    const frames = await decodeFrames(video, [0, 0.05, 0.1, 0.99, 1.2, 1.234, 1.9])
    expect(frames.map(frame => frame.time)).toEqual([0, 0, 0.1, 0.9, 1.2, 1.2, 1.9])
    expect(frames.map(frame => numberOf(frame.rgb))).toEqual([0, 0, 1, 9, 12, 12, 19])
  })

  test('moments near each other are decoded in one pass, and are the frames that each would be alone', async () => {
    const video = await probe(media.ffmpeg('close.mkv', counting(60), exact, '-bf 2'))
    const times = [3.31, 0.5, 0.55, 2.09, 5.95, 1.2]
    const alone = (await Promise.all(times.map(time => decodeFrames(video, [time])))).flat()
    expect(await startsFor(async () => expect(await decodeFrames(video, times)).toEqual(alone))).toBe(1)
  })

  test('the larger the picture, the nearer to each other such moments must be', async () => {
    const video = await probe(media.ffmpeg('sizes.mp4', picture(6, '640x360', 10), h264))
    const small = { ...video, picture: { ...video.picture!, width: 64, height: 36 } }
    expect(await startsFor(() => decodeFrames(video, [0.5, 5.5]))).toBe(2)
    expect(await startsFor(() => decodeFrames(small, [0.5, 5.5]))).toBe(1)
  })

  test('a moment before which nothing came up in the pass is decoded for itself', async () => {
    const path = media.ffmpeg('still.mkv', counting(20, 2), ['-vf', "select='not(mod(n,9))'"], '-fps_mode vfr', exact)
    const frames = await decodeFrames(await probe(path), [4, 4.4, 4.6, 6])
    expect(frames.map(frame => frame.time)).toEqual([0, 0, 4.5, 4.5])
  })

  test('near enough it is the keyframe before, and of the file only that keyframe is read', async () => {
    const path = media.ffmpeg(
      'hour.mp4',
      counting(100),
      '-c:v libx264 -pix_fmt yuv420p -g 40 -keyint_min 40 -sc_threshold 0',
    )
    const video = await probe(path)
    const whole = await decodeFrames(video, [3.9, 7.5, 9.9], { near: 4 })
    expect(whole.map(frame => frame.time)).toEqual([0, 4, 8])
    blankAllBut(path, [0, 4, 8])
    expect(await decodeFrames(video, [3.9, 7.5, 9.9], { near: 4 })).toEqual(whole)
    const [exact] = await decodeFrames(video, [7.5]).catch(() => [])
    expect(exact?.time).not.toBe(7.5)
  })

  test('where no keyframe is near enough it is the exact frame', async () => {
    const video = await probe(media.ffmpeg('far.mp4', counting(100), '-c:v libx264 -pix_fmt yuv420p -g 40'))
    const frames = await decodeFrames(video, [3.9, 4.1], { near: 1 })
    expect(frames.map(frame => frame.time)).toEqual([3.9, 4])
  })

  test('before the first it is the first, after the last the last', async () => {
    const video = await probe(media.ffmpeg('ends.mp4', counting(20), exact))
    expect((await decodeFrames(video, [-5, 99])).map(frame => frame.time)).toEqual([0, 1.9])
  })

  test('where a picture stands for long, it is that one and not the next', async () => {
    const path = media.ffmpeg('slides.mkv', counting(20, 2), ['-vf', "select='not(mod(n,9))'"], '-fps_mode vfr', exact)
    const video = await probe(path)
    const frames = (await Promise.all([4.4, 8.9, 9].map(time => decodeFrames(video, [time])))).flat()
    expect(frames.map(frame => frame.time)).toEqual([0, 4.5, 9])
  })

  test('on a clock that starts elsewhere, and with a late picture', async () => {
    const path = media.ffmpeg(
      'late.mkv',
      ['-itsoffset', '2', ...counting(20)],
      tone(4),
      exact,
      '-c:a pcm_s16le -output_ts_offset 100',
    )
    const frames = await decodeFrames(await probe(path), [0.5, 3.01])
    expect(frames.map(frame => frame.time)).toEqual([2, 3])
  })

  test('come in the asked width, never enlarged, upright, in the order asked for', async () => {
    const plain = media.ffmpeg('plain.mp4', picture(2), h264)
    const video = await probe(media.ffmpeg('turned.mp4', ['-i', plain], '-c copy -metadata:s:v rotate=90'))
    const frames = await decodeFrames(video, [1.5, 0.5, 1], { width: 90 })
    expect(frames.map(({ time, width, height }) => [time, width, height])).toEqual([
      [1.48, 90, 160],
      [0.48, 90, 160],
      [1, 90, 160],
    ])
    const [large] = await decodeFrames(video, [0], { width: 4000 })
    expect([large!.width, large!.height, large!.rgb.length]).toEqual([180, 320, 180 * 320 * 3])
  })

  test('of a torn file are the last ones that can be decoded', async () => {
    const bytes = readFileSync(media.ffmpeg('full.mkv', picture(6), h264))
    writeFileSync(media.path('torn.mkv'), bytes.subarray(0, bytes.length / 2))
    const [frame] = await decodeFrames(await probe(media.path('torn.mkv')), [5.5])
    expect(frame!.time).toBeGreaterThan(1)
    expect(frame!.time).toBeLessThan(5)
  })

  test('a video without a picture has none, and says so', async () => {
    const song = await probe(media.ffmpeg('song.wav', tone(1)))
    await expect(decodeFrames(song, [0])).rejects.toBeInstanceOf(BackendError)
  })
})
