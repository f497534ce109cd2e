import { describe, expect, test } from 'vitest'
import { imageEncoders } from '../../models/embed-image/index.ts'
import type { Frame } from '../../src/core/video.ts'
import { decodeImage, encodeJpeg } from '../../src/media/image.ts'

const signal = new AbortController().signal
const host = { folder: '', environment: {}, signal, say: () => {} }

function painted(paint: (x: number, y: number) => [number, number, number], width = 320, height = 180): Frame {
  const rgb = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rgb.set(paint(x, y), (y * width + x) * 3)
  return { time: 0, width, height, rgb }
}

const red = painted(() => [200, 30, 30])
const blue = painted(() => [30, 60, 200])
const white = painted(() => [245, 245, 245])
const halves = painted(x => (x < 160 ? [30, 160, 60] : [250, 220, 40]))
const scene = painted((x, y) => [(x * 3 + y) % 256, (x + y * 2) % 200, (y * 5) % 150])

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * b[at], 0)

// Backends that need model files are run where those are set up; this one runs everywhere.
describe.each(['colour-layout'])('embed-image/%s', name => {
  const open = () => imageEncoders.open(name, {}, host)

  test('every vector has the promised number of parts and unit length', async () => {
    const encoder = await open()
    const vectors = await encoder.images([red, halves, scene], signal)
    for (const vector of vectors) {
      expect(vector).toHaveLength(encoder.dimensions)
      expect(dot(vector, vector)).toBeCloseTo(1, 4)
    }
  })

  test('the same frame after JPEG and a small crop is the nearest one', async () => {
    const encoder = await open()
    const jpeg = await decodeImage(await encodeJpeg(scene))
    const [wanted, ...others] = await encoder.images([jpeg, scene, red, blue, white, halves], signal)
    const scores = others.map(other => dot(wanted, other))
    expect(scores.indexOf(Math.max(...scores))).toBe(0)
    expect(scores[0]).toBeGreaterThan(0.95)
  })

  test('no frames give no vectors', async () => {
    expect(await (await open()).images([], signal)).toEqual([])
  })
})

describe('embed-image/colour-layout', () => {
  test.each([
    ['the red slide', 0],
    ['something blue', 1],
    ['a white page', 2],
    ['yellow on the right', 3],
  ])('"%s" finds the frame of that colour', async (query, expected) => {
    const encoder = await imageEncoders.open('colour-layout', {}, host)
    const [words] = await encoder.text([query], signal)
    const scores = (await encoder.images([red, blue, white, halves], signal)).map(vector =>
      dot(words as Float32Array, vector),
    )
    expect(scores.indexOf(Math.max(...scores))).toBe(expected)
  })

  test('a place that is named matters: yellow on the left is not yellow on the right', async () => {
    const encoder = await imageEncoders.open('colour-layout', {}, host)
    const [left, right] = await encoder.text(['yellow left', 'yellow right'], signal)
    const [vector] = await encoder.images([halves], signal)
    expect(dot(right as Float32Array, vector)).toBeGreaterThan(dot(left as Float32Array, vector))
  })

  test('words without a colour cannot be expressed', async () => {
    const encoder = await imageEncoders.open('colour-layout', {}, host)
    expect(await encoder.text(['a man who laughs'], signal)).toEqual([undefined])
  })
})
