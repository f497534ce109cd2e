import { describe, expect, test } from 'vitest'
import { detectors } from '../../models/detect/index.ts'
import { iou } from '../../models/detect/nms.ts'
import { eachBackend } from './backends.ts'
import { modelFixture } from './model-fixture.ts'
import { plainFrame, withBox } from './pictures.ts'

const { signal } = new AbortController()
const cases = {
  owl: { settings: { folder: modelFixture('owlvit'), threshold: 0.4 } },
  vlm: { skip: 'it needs a server' },
}
const dark = plainFrame(30, 30, 30)
const red = { x: 0.1625, y: 0.2375, width: 0.3, height: 0.4 }
const blue = { x: 0.5375, y: 0.5125, width: 0.3, height: 0.35 }
const both = withBox(withBox(dark, red, [200, 30, 30]), blue, [30, 60, 200])

describe('detectors', async () => {
  await eachBackend(detectors, cases, service => {
    test('each thing is found under its label, where it is', async () => {
      const [found] = await service().detect([both], ['red square', 'blue square'], signal)
      for (const [label, box] of Object.entries({ 'red square': red, 'blue square': blue })) {
        const best = found!.filter(thing => thing.label === label).sort((a, b) => b.confidence - a.confidence)[0]!
        expect(iou(best.box, box)).toBeGreaterThan(0.5)
      }
    })

    test('one thing is found once, and what was not asked for is not told of', async () => {
      const [found] = await service().detect([both], ['red square', 'green square'], signal)
      expect(found!.map(thing => thing.label)).toEqual(['red square'])
    })

    test('an empty frame holds nothing; that is an empty list, one for each frame in their order', async () => {
      const found = await service().detect([dark, both, dark], ['red square'], signal)
      expect(found.map(things => things.length)).toEqual([0, 1, 0])
    })

    test('boxes lie within the frame and scores between 0 and 1', async () => {
      const edge = withBox(dark, { x: 0, y: 0.7, width: 0.3, height: 0.3 }, [200, 30, 30])
      const [found] = await service().detect([edge], ['red square'], signal)
      expect(found!.length).toBeGreaterThan(0)
      for (const { box, confidence } of found!) {
        expect(box.x).toBeGreaterThanOrEqual(0)
        expect(box.y).toBeGreaterThanOrEqual(0)
        expect(box.x + box.width).toBeLessThanOrEqual(1)
        expect(box.y + box.height).toBeLessThanOrEqual(1)
        expect(confidence).toBeGreaterThan(0)
        expect(confidence).toBeLessThanOrEqual(1)
      }
    })

    test('no labels or no frames, nothing found; an abort ends the work', async () => {
      expect(await service().detect([dark], [], signal)).toEqual([[]])
      expect(await service().detect([], ['red square'], signal)).toEqual([])
      const aborted = AbortSignal.abort(new Error('enough'))
      await expect(service().detect([dark], ['red square'], aborted)).rejects.toThrow('enough')
    })
  })
})
