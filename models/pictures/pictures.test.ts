import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { PictureConfig } from '../prepare/picture-config.ts'
import { type Filter, type Pixels, resample } from '../prepare/resample.ts'
import { pictureTensor } from './picture-tensor.ts'

// Made by scripts/fixtures/reference_pictures.py with Pillow and numpy.
const reference = JSON.parse(
  readFileSync(new URL('../../tests/fixtures/parity/pictures.json', import.meta.url), 'utf8'),
) as {
  resized: { from: [number, number]; to: [number, number]; filter: Filter; rgb: string }[]
  prepared: { from: [number, number]; kind: 'siglip' | 'clip'; values: string }[]
}
const { signal } = new AbortController()

function picture(width: number, height: number): Pixels {
  const rgb = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let c = 0; c < 3; c++) {
        const hard = (Math.floor(x / 9) + Math.floor(y / 7)) % 4 === 0
        const value = hard ? 255 * ((x + c) % 2) : (x * 7 + y * 13 + c * 29 + ((x * y) % 17) * 5) % 256
        rgb[(y * width + x) * 3 + c] = value
      }
  return { width, height, rgb }
}

describe.each(reference.resized)('$filter from $from to $to', ({ from, to, filter, rgb }) => {
  test('gives what Pillow gives, to the last bit', () => {
    const made = resample(picture(...from), ...to, filter)
    const expected = Buffer.from(rgb, 'base64')
    const rows = Array.from({ length: Math.ceil(to[1] / 5) }, (_, i) =>
      made.rgb.subarray(i * 5 * to[0] * 3, (i * 5 + 1) * to[0] * 3),
    )
    expect(Buffer.concat(rows).equals(expected)).toBe(true)
  })
})

const configs = {
  siglip: { do_resize: true, size: { height: 24, width: 24 }, resample: 3 },
  clip: {
    size: { shortest_edge: 24 },
    resample: 3,
    do_center_crop: true,
    crop_size: { height: 24, width: 24 },
    image_mean: [0.48145466, 0.4578275, 0.40821073],
    image_std: [0.26862954, 0.26130258, 0.27577711],
  },
}

describe.each(reference.prepared)('a picture of $from for $kind', ({ from, kind, values }) => {
  test('is resized, cropped and normalised within 1e-6 of the reference', async () => {
    const { data, dims } = await pictureTensor([picture(...from)], PictureConfig.parse(configs[kind]), signal)
    expect(dims).toEqual([1, 3, 24, 24])
    const bytes = Buffer.from(values, 'base64')
    const expected = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
    const worst = expected.reduce((most, value, i) => Math.max(most, Math.abs(value - Number(data[i]))), 0)
    expect(worst).toBeLessThan(1e-6)
  })
})

test('a bare number for the size is a square, and the short edge where the picture is cropped', async () => {
  const square = await pictureTensor([picture(60, 30)], PictureConfig.parse({ size: 20 }), signal)
  expect(square.dims).toEqual([1, 3, 20, 20])
  const config = PictureConfig.parse({ size: 20, do_center_crop: true, crop_size: 16 })
  expect((await pictureTensor([picture(60, 30)], config, signal)).dims).toEqual([1, 3, 16, 16])
})
