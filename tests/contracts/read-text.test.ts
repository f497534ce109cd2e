import { describe, expect, test } from 'vitest'
import { textReaders } from '../../models/read-text/index.ts'
import { eachBackend } from './backends.ts'
import { paddleCase } from './paddle.ts'
import { plainFrame, sourceFrame, textFrame } from './pictures.ts'

const { signal } = new AbortController()
const slide = await textFrame('color=white', [
  { text: 'Safety on the building site', size: 44, x: 60, y: 60, colour: 'black' },
  { text: 'Always wear a helmet', size: 36, x: 60, y: 200, colour: '0x303030' },
  { text: 'Keep the exits clear', size: 36, x: 60, y: 300, colour: '0x303030' },
])
const caption = await textFrame('testsrc2', [
  { text: 'The train leaves at half past nine', size: 32, x: 120, y: 470, colour: 'white', behind: 'black' },
])

describe('text readers', async () => {
  await eachBackend(textReaders, { vlm: { skip: 'it needs a server' }, paddle: paddleCase }, service => {
    test('the lines of a slide are read in order, each where it stands', async () => {
      const [lines] = await service().read([slide], signal)
      expect(lines!.map(line => line.text.toLowerCase())).toEqual([
        'safety on the building site',
        'always wear a helmet',
        'keep the exits clear',
      ])
      const tops = [60 / 540, 200 / 540, 300 / 540]
      lines!.forEach(({ box, confidence }, i) => {
        expect(Math.abs(box.x - 60 / 960)).toBeLessThan(0.02)
        expect(Math.abs(box.y - tops[i]!)).toBeLessThan(0.03)
        expect(box.width).toBeGreaterThan(0.25)
        expect(box.x + box.width).toBeLessThanOrEqual(1)
        expect(confidence).toBeGreaterThan(0.5)
        expect(confidence).toBeLessThanOrEqual(1)
      })
    })

    test('frames are answered one list each, in their order, and one without text with an empty list', async () => {
      const [first, second, third] = await service().read([plainFrame(40, 60, 80), caption, slide], signal)
      expect(first).toEqual([])
      expect(second!.map(line => line.text.toLowerCase()).join(' ')).toContain('train leaves at half past nine')
      expect(third).toHaveLength(3)
    })

    test('texture without text is not read as text', async () => {
      const frames = await Promise.all(
        ['mandelbrot', 'gradients=seed=2:n=2:c0=0xd0a040:c1=0x204080'].map(source => sourceFrame(source)),
      )
      expect(await service().read(frames, signal)).toEqual([[], []])
    })

    test('no frames, no lists', async () => {
      expect(await service().read([], signal)).toEqual([])
    })

    test('an abort ends the reading', async () => {
      await expect(service().read([slide], AbortSignal.abort(new Error('enough')))).rejects.toThrow()
    })
  })
})
