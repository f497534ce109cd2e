import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { faceFinders } from '../../models/faces/index.ts'
import { decodeFrames } from '../../src/media/frames.ts'
import { encodeJpeg } from '../../src/media/image.ts'
import { probe } from '../../src/media/probe/probe.ts'
import { mediaFolder } from '../media-fixtures.ts'
import { eachBackend, host } from './backends.ts'
import { modelFixture } from './model-fixture.ts'
import { plainFrame } from './pictures.ts'

const shared = fileURLToPath(new URL('../../../shared/assets/', import.meta.url))
const detector = join(shared, 'models/yunet_n_640.onnx')
const film = join(shared, 'video/mdn-friday.mp4')
const there = existsSync(detector) && existsSync(film)
const { signal } = new AbortController()
const media = mediaFolder()
afterAll(media.remove)

describe.skipIf(!there)(`finders of faces${there ? '' : ' (skipped: the shared files are not here)'}`, async () => {
  const cases = { yunet: { settings: { detector } }, vlm: { skip: 'it needs a server' } }
  const scene = there ? (await decodeFrames(await probe(film), [3], {}, signal))[0]! : plainFrame(0, 0, 0)

  await eachBackend(faceFinders, cases, service => {
    test('faces of a film are found, inside the frame, surest first', async () => {
      const [faces] = await service().faces([scene], signal)
      expect(faces!.length).toBeGreaterThan(0)
      for (const { box, confidence } of faces!) {
        expect(confidence).toBeGreaterThan(0.7)
        expect(box.x).toBeGreaterThanOrEqual(0)
        expect(box.x + box.width).toBeLessThanOrEqual(1.000001)
        expect(box.y + box.height).toBeLessThanOrEqual(1.000001)
      }
    })

    test('no face is an empty list, one for each frame in their order', async () => {
      const empty = plainFrame(90, 90, 90)
      const found = await service().faces([empty, scene, empty], signal)
      expect(found.map(faces => faces.length > 0)).toEqual([false, true, false])
      await expect(service().faces([empty], AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
    })
  })

  test('somebody whose picture lies in the folder is named; others are not', async () => {
    const people = media.path('people')
    mkdirSync(people)
    writeFileSync(join(people, 'Hildy.jpg'), await encodeJpeg(scene, 95))
    const recognizer = join(modelFixture('face'), 'recognizer.onnx')
    const finder = await faceFinders.open('yunet', { detector, recognizer, people, likeness: 0.98 }, host)
    const [faces] = await finder.faces([scene], signal)
    expect(finder.people).toEqual(['Hildy'])
    expect(faces!.filter(face => face.person === 'Hildy')).toHaveLength(1)
    await finder.close?.()
  })
})
