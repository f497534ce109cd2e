import { expect, test } from 'vitest'
import type { Frame } from '../core/video.ts'
import { cropFrame, decodeImage, encodeJpeg, resizeFrame } from './image.ts'

// Red grows to the right, green downwards.
const slope: Frame = {
  time: 12.5,
  width: 64,
  height: 32,
  rgb: Uint8Array.from(
    { length: 64 * 32 * 3 },
    (_, i) => [((i / 3) % 64) | 0, (i / 192) | 0, 0][i % 3]! * (i % 3 === 0 ? 4 : 8),
  ),
}
const pixel = ({ rgb, width }: Frame, x: number, y: number) => [
  ...rgb.subarray((y * width + x) * 3, (y * width + x) * 3 + 3),
]

test('a JPEG keeps size and colours', async () => {
  const back = await decodeImage(await encodeJpeg(slope, 95), 3)
  expect([back.time, back.width, back.height]).toEqual([3, 64, 32])
  const difference = back.rgb.reduce((sum, value, i) => sum + Math.abs(value - slope.rgb[i]!), 0) / back.rgb.length
  expect(difference).toBeLessThan(3)
})

test('a box is cut out where it lies, and what it has outside is left out', () => {
  const part = cropFrame(slope, { x: 0.5, y: 0.25, width: 0.25, height: 0.5 })
  expect([part.time, part.width, part.height]).toEqual([12.5, 16, 16])
  expect(pixel(part, 0, 0)).toEqual(pixel(slope, 32, 8))
  expect(pixel(part, 15, 15)).toEqual(pixel(slope, 47, 23))
  const edge = cropFrame(slope, { x: 0.9, y: -1, width: 5, height: 1.5 })
  expect([edge.width, edge.height]).toEqual([7, 16])
  const nothing = cropFrame(slope, { x: 2, y: 2, width: 0, height: 0 })
  expect([nothing.width, nothing.height]).toEqual([1, 1])
})

test('resizing gives exactly the size asked for', async () => {
  const small = await resizeFrame(slope, 16, 16)
  expect([small.time, small.width, small.height, small.rgb.length]).toEqual([12.5, 16, 16, 768])
  expect(pixel(small, 8, 8)[0]).toBeGreaterThan(pixel(small, 2, 8)[0]!)
  expect(await resizeFrame(slope, 64, 32)).toBe(slope)
})

test('grey, see-through and turned pictures come as plain upright colour', async () => {
  const { default: sharp } = await import('sharp')
  const clear = await sharp({
    create: { width: 8, height: 4, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  })
    .png()
    .toBuffer()
  expect(pixel(await decodeImage(clear), 3, 2)).toEqual([255, 255, 255])
  const grey = await sharp(Buffer.alloc(32, 90), { raw: { width: 8, height: 4, channels: 1 } })
    .tiff()
    .toBuffer()
  expect(pixel(await decodeImage(grey), 0, 0)).toEqual([90, 90, 90])
  const turned = await sharp(Buffer.alloc(96, 90), { raw: { width: 8, height: 4, channels: 3 } })
    .jpeg()
    .withMetadata({ orientation: 6 })
    .toBuffer()
  expect((await decodeImage(turned)).width).toBe(4)
})

test('what is no picture is refused', async () => {
  await expect(decodeImage(Buffer.from('not a picture'))).rejects.toThrow()
})
