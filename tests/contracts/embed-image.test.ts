import { describe, expect, test } from 'vitest'
import { imageEncoders } from '../../models/embed-image/index.ts'
import { cropFrame, decodeImage, encodeJpeg, resizeFrame } from '../../src/media/image.ts'
import { eachBackend } from './backends.ts'
import { modelFixture } from './model-fixture.ts'
import { dot, plainFrame, sourceFrame } from './pictures.ts'

const cases = {
  siglip: { settings: { folder: modelFixture('siglip') } },
  clip: { settings: { folder: modelFixture('clip') } },
}
const { signal } = new AbortController()
const sources = [
  'testsrc2',
  'mandelbrot=start_scale=0.5',
  'smptebars',
  'gradients=seed=3:n=2:c0=0xd0a040:c1=0x204080',
  'rgbtestsrc',
  'yuvtestsrc',
]

describe('image encoders', async () => {
  await eachBackend(imageEncoders, cases, service => {
    test('each frame gives a vector of unit length and of the stated dimensions, in order', async () => {
      const frames = [await sourceFrame('testsrc2'), plainFrame(0, 0, 0), plainFrame(255, 255, 255)]
      const vectors = await service().images(frames, signal)
      expect(vectors).toHaveLength(frames.length)
      for (const vector of vectors) {
        expect(vector).toHaveLength(service().dimensions)
        expect(Math.hypot(...vector)).toBeCloseTo(1, 3)
      }
      const [alone] = await service().images(frames.slice(1, 2), signal)
      expect(dot(alone!, vectors[1]!)).toBeCloseTo(1, 3)
    })

    test('a frame that was cropped a little, made smaller and saved as a JPEG is still nearest to itself', async () => {
      const frames = await Promise.all(sources.map(source => sourceFrame(source)))
      const vectors = await service().images(frames, signal)
      for (const [i, frame] of frames.entries()) {
        const cropped = cropFrame(frame, { x: 0.03, y: 0.03, width: 0.94, height: 0.94 })
        const small = await decodeImage(await encodeJpeg(await resizeFrame(cropped, 240, 136), 60))
        const [query] = await service().images([small], signal)
        const scores = vectors.map(vector => dot(vector, query!))
        expect(scores.indexOf(Math.max(...scores))).toBe(i)
      }
    })

    test('a text gives a vector of the same space, or undefined where the space has no words for it', async () => {
      const queries = ['a red slide', 'why did the second speaker leave']
      const vectors = await service().text(queries, signal)
      expect(vectors).toHaveLength(2)
      expect(vectors[0]).toBeDefined()
      for (const vector of vectors) {
        if (!vector) continue
        expect(vector).toHaveLength(service().dimensions)
        expect(Math.hypot(...vector)).toBeCloseTo(1, 3)
      }
    })

    test('a red frame lies nearer to "a red slide" than a blue or a grey one', async () => {
      const frames = [plainFrame(30, 60, 200), plainFrame(200, 30, 30), plainFrame(128, 128, 128)]
      const vectors = await service().images(frames, signal)
      const [query] = await service().text(['a red slide'], signal)
      const scores = vectors.map(vector => dot(vector, query as Float32Array))
      expect(scores.indexOf(Math.max(...scores))).toBe(1)
    })

    test('nothing in gives nothing out', async () => {
      expect(await service().images([], signal)).toEqual([])
      expect(await service().text([], signal)).toEqual([])
    })

    test('an abort ends the work with its reason', async () => {
      const aborted = AbortSignal.abort(new Error('enough'))
      await expect(service().images([plainFrame(0, 0, 0)], aborted)).rejects.toThrow('enough')
    })
  })
})
