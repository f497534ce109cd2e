import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMedia } from '../../../eval/make/machine/media.ts'
import { decodeImage } from '../../../src/media/image.ts'
import { film } from '../../bench/small-data.ts'

let folder: string
const tone = ['-filter_complex', 'sine=frequency=440:sample_rate=16000:duration=2[a]', '-map', '0:v', '-map', '[a]']
const media = openMedia(name => join(folder, `${name}.mp4`), new AbortController().signal)

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'longtake-media-'))
  film(join(folder, 'wide.mp4'), 'red', 1, '3840x2160')
  film(join(folder, 'upright.mp4'), 'red', 1, '1080x1920')
  film(join(folder, 'small.mp4'), 'red', 4, '320x180', tone)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['wide', 1280, 720],
  ['upright', 720, 1280],
  ['small', 320, 180],
])('a frame of the video %s is %i x %i: no longer than 1280, never enlarged', async (name, width, height) => {
  const [jpeg] = await media.frames(name, [0.5])
  expect(await decodeImage(jpeg ?? new Uint8Array())).toMatchObject({ width, height })
})

test('a frame of which a part is to be cut out is whole', async () => {
  const [jpeg] = await media.frames('wide', [0.5], 'whole')
  expect(await decodeImage(jpeg ?? new Uint8Array())).toMatchObject({ width: 3840, height: 2160 })
})

test('frames that were asked for last are not decoded again', async () => {
  const file = join(folder, 'fleeting.mp4')
  const media = openMedia(() => file, new AbortController().signal)
  film(file, 'red', 1)
  const asked = (time: number) => media.frames('fleeting', [time])
  const first = await asked(0.25)
  rmSync(file)
  expect(await asked(0.25)).toBe(first)
  await expect(asked(0.75)).rejects.toThrow()
  film(file, 'red', 1)
  expect(await asked(0.75)).toHaveLength(1) // what failed is tried again
})

test('the sound of a stretch is that of its seconds, and silence where the sound has ended before', async () => {
  const [within, after] = await media.sounds('small', [
    { start: 0.5, end: 1.25 },
    { start: 3, end: 4 },
  ])
  expect(within?.length).toBe(44 + 2 * 0.75 * 16_000)
  expect(Math.max(...samplesOf(within))).toBeGreaterThan(1000)
  expect(after?.length).toBe(44 + 2 * 16_000)
  expect(new Set(samplesOf(after))).toEqual(new Set([0]))
})

function samplesOf(wav: Uint8Array = new Uint8Array(44)): Int16Array {
  return new Int16Array(wav.slice(44).buffer)
}
