import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { h264, type MediaFolder, mediaFolder, picture, tone } from '../../tests/media-fixtures.ts'
import type { AudioSource } from '../core/video.ts'
import { pcmFile, wavBytes } from './audio.ts'
import { probe } from './probe/probe.ts'
import { openSound } from './video-sound.ts'

// Silence with one click in the middle of each second.
const clicks = (seconds: number) => [
  '-f',
  'lavfi',
  '-i',
  `aevalsrc='if(between(mod(t,1),0.5,0.51),0.9,0)':s=44100:d=${seconds}`,
]

let media: MediaFolder
beforeAll(() => {
  media = mediaFolder()
})
afterAll(() => media.remove())

async function clickTimes(source: AudioSource, start: number, end: number): Promise<number[]> {
  const samples = await source.read({ start, end })
  const times: number[] = []
  samples.forEach((sample, i) => {
    const time = start + i / 16_000
    if (Math.abs(sample) > 0.3 && time - (times.at(-1) ?? -1) > 0.2) times.push(time)
  })
  return times
}

describe('sound by span', () => {
  test.each([
    ['sound.wav', ''],
    ['sound.m4a', '-c:a aac -ac 2'],
    ['sound.mp3', '-ac 2'],
    ['sound.opus', '-c:a libopus -b:a 64k'],
  ])('of %s lies where it is heard', async (name, options) => {
    const source = openSound(await probe(media.ffmpeg(name, clicks(6), ...(options ? [options] : []))))
    expect(source.duration).toBeCloseTo(6, 0)
    const times = await clickTimes(source, 2.25, 5.25)
    expect(times).toHaveLength(3)
    times.forEach((time, i) => {
      expect(Math.abs(time - 2.5 - i)).toBeLessThan(0.05)
    })
    expect(await source.read({ start: 2, end: 3 })).toHaveLength(16_000)
  })

  test('is silence where the sound has not begun, on the clock of the picture', async () => {
    const path = media.ffmpeg(
      'late.mkv',
      picture(6),
      ['-itsoffset', '3', ...clicks(3)],
      h264,
      '-c:a pcm_s16le -output_ts_offset 50',
    )
    const source = openSound(await probe(path))
    expect(await clickTimes(source, 0, 3)).toEqual([])
    const [first] = await clickTimes(source, 3, 4)
    expect(first).toBeCloseTo(3.5, 1)
  })

  test('beyond the end there is nothing', async () => {
    const source = openSound(await probe(media.ffmpeg('short.wav', tone(1))))
    expect(await source.read({ start: 5, end: 6 })).toHaveLength(0)
    expect(await source.read({ start: 0.5, end: 9 })).toHaveLength(8000)
  })
})

describe('a file of samples', () => {
  test('is read by span, clamped to what there is', async () => {
    const samples = Int16Array.from({ length: 32_000 }, (_, i) => i % 30_000)
    writeFileSync(media.path('sound.pcm'), new Uint8Array(samples.buffer))
    const source = await pcmFile(media.path('sound.pcm'))
    expect(source.duration).toBe(2)
    const read = await source.read({ start: 0.5, end: 0.75 })
    expect([read.length, Math.round(read[0]! * 32_768), Math.round(read[3999]! * 32_768)]).toEqual([4000, 8000, 11_999])
    expect(await source.read({ start: 1.5, end: 99 })).toHaveLength(8000)
    expect(await source.read({ start: 3, end: 4 })).toHaveLength(0)
  })

  test('an empty one lasts no time', async () => {
    writeFileSync(media.path('empty.pcm'), '')
    expect((await pcmFile(media.path('empty.pcm'))).duration).toBe(0)
  })
})

test('a WAV file is read back by ffmpeg as it was written', async () => {
  const samples = Float32Array.from({ length: 16_000 }, (_, i) => Math.sin(i / 10) * 0.5)
  samples[0] = 2 // beyond full scale: cut, not wrapped
  writeFileSync(media.path('out.wav'), wavBytes(samples))
  const video = await probe(media.path('out.wav'))
  expect(video).toMatchObject({ duration: 1, sound: { sampleRate: 16_000, channels: 1 } })
  const read = await openSound(video).read({ start: 0, end: 1 })
  expect(read[0]).toBeCloseTo(1, 3)
  expect(Math.max(...read.subarray(1).map((sample, i) => Math.abs(sample - samples[i + 1]!)))).toBeLessThan(0.0001)
})
