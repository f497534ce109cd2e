import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { Frame } from '../../src/core/video.ts'
import { encodeJpeg } from '../../src/media/image.ts'
import { modelFixture } from '../../tests/contracts/model-fixture.ts'
import { mediaFolder } from '../../tests/media-fixtures.ts'
import { closeAll, closeLater, never, testHost } from '../../tests/servers/host.ts'
import { startOpenaiServer } from '../../tests/servers/openai-server.ts'
import type { OnnxTensor } from '../onnx/messages.ts'
import { decodeFaces } from './find-faces.ts'
import { faceFinders } from './index.ts'
import { alignedFace, faceEdge, similarity } from './yunet.ts'

const media = mediaFolder()
afterAll(media.remove)
afterEach(closeAll)

const frame = (width: number, height: number): Frame => ({
  time: 3,
  width,
  height,
  rgb: new Uint8Array(width * height * 3).fill(200),
})

// What YuNet would say of one face, on the grid of 16 pixels.
function grids(edge: number, cell: number, box: number[]): Record<string, OnnxTensor> {
  const tensors: Record<string, OnnxTensor> = {}
  for (const stride of [8, 16, 32]) {
    const cells = (edge / stride) ** 2
    const numbers = (width: number) => new Float32Array(cells * width)
    const [cls, obj, bbox, kps] = [numbers(1), numbers(1), numbers(4), numbers(10)]
    if (stride === 16) {
      cls[cell] = 0.81
      obj[cell] = 1
      bbox.set(box, cell * 4)
    }
    for (const [name, data] of Object.entries({ cls, obj, bbox, kps }))
      tensors[`${name}_${stride}`] = { type: 'float32', data, dims: [1, cells, data.length / cells] }
  }
  return tensors
}

test('a face lies where its cell and its numbers say, in shares of the frame', () => {
  const outputs = grids(64, 5, [0.5, 0.25, Math.log(2), Math.log(1)]) // column 1, row 1 of a grid of 4
  const [face] = decodeFaces(outputs, frame(128, 64), 0.5, { edge: 64, threshold: 0.7 })
  expect(face!.confidence).toBeCloseTo(0.9)
  expect(face!.box.x).toBeCloseTo(((1.5 * 16) / 0.5 - 32) / 128)
  expect(face!.box.width).toBeCloseTo(64 / 128)
  expect(face!.box.y).toBeCloseTo(((1.25 * 16) / 0.5 - 16) / 64)
  expect(decodeFaces(outputs, frame(128, 64), 0.5, { edge: 64, threshold: 0.95 })).toEqual([])
})

test('a turned and moved face is brought upright to where recognisers want it', () => {
  const from: [number, number][] = [
    [0, 0],
    [10, 0],
    [5, 8],
  ]
  const turned = from.map(([x, y]): [number, number] => [20 - 2 * y, 30 + 2 * x])
  const { a, b, x, y } = similarity(from, turned)
  expect([a, b, x, y].map(value => Math.round(value * 1e6) / 1e6 + 0)).toEqual([0, 2, 20, 30])
  const marks: [number, number][] = [
    [0.34, 0.46],
    [0.66, 0.46],
    [0.5, 0.64],
    [0.37, 0.82],
    [0.63, 0.82],
  ]
  expect(alignedFace(frame(200, 200), marks)).toHaveLength(3 * faceEdge * faceEdge)
  expect(alignedFace(frame(200, 200), marks)[faceEdge * 56 + 56]).toBe(200)
})

test('people without a recogniser is a fault of the settings, said at once', async () => {
  const detector = join(modelFixture('face'), 'recognizer.onnx')
  const opening = faceFinders.open('yunet', { detector, people: media.path('') }, testHost())
  await expect(opening).rejects.toMatchObject({ hint: expect.stringContaining('models.faces.recognizer') })
  const missing = faceFinders.open('yunet', { detector: '/no/yunet.onnx' }, testHost())
  await expect(missing).rejects.toMatchObject({ hint: 'Set models.faces.detector to where it lies.' })
})

test('a model that is no YuNet says what it lacks', async () => {
  const detector = join(modelFixture('face'), 'recognizer.onnx')
  const finder = closeLater(await faceFinders.open('yunet', { detector, edge: 32 }, testHost()))
  await expect(finder.faces([frame(32, 32)], never)).rejects.toThrow()
})

test('a vision-language model is shown the known people, and names nobody else', async () => {
  const people = media.path('people')
  mkdirSync(join(people, 'Grace'), { recursive: true })
  writeFileSync(join(people, 'Ada.jpg'), await encodeJpeg(frame(40, 40)))
  writeFileSync(join(people, 'Grace', 'one.jpg'), await encodeJpeg(frame(40, 40)))
  writeFileSync(join(people, 'notes.txt'), 'no picture')
  const server = closeLater(await startOpenaiServer())
  const chat = { backend: 'openai', url: server.url, model: 'test-model' }
  const finder = closeLater(await faceFinders.open('vlm', { chat, people, atOnce: 1 }, testHost()))
  expect(finder.people).toEqual(['Ada', 'Grace'])
  server.script.say(
    '{"faces":[{"box":[100,200,300,600],"person":"Ada"},{"box":[500,200,700,600],"person":null}]}',
    '{"faces":[]}',
  )
  const [first, second] = await finder.faces([frame(64, 48), frame(64, 48)], never)
  expect(first).toEqual([
    {
      confidence: 0.7,
      box: { x: 0.1, y: 0.2, width: expect.closeTo(0.2), height: expect.closeTo(0.4) },
      person: 'Ada',
    },
    { confidence: 0.7, box: { x: 0.5, y: 0.2, width: expect.closeTo(0.2), height: expect.closeTo(0.4) } },
  ])
  expect(second).toEqual([])
  expect(server.complaints).toEqual([])
})
