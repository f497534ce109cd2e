import { expect, test } from 'vitest'
import type { CaptionSettings } from '../../../src/core/settings.ts'
import type { Shot, Still } from '../../../src/core/video.ts'
import { cutCaptionClips } from './clips.ts'

const settings: CaptionSettings = { mode: 'shots', seconds: 30, frames: 4, budget: {} }
const shot = (start: number, end: number): Shot => ({ start, end, opens: 'cut' })
const still = (time: number, reason: Still['reason'] = 'change'): Still => ({
  ...{ time, reason, shot: 0, width: 16, height: 9, offset: time, length: 1 },
})
const seen = (clips: ReturnType<typeof cutCaptionClips>) =>
  clips.map(({ span, stills }) => [span.start, span.end, ...stills.map(one => one.time)])

test('a clip is a shot, and a long one is cut into equal pieces', () => {
  const stills = [still(1), still(12), still(40), still(80)]
  expect(seen(cutCaptionClips([shot(0, 10), shot(10, 90)], stills, settings))).toEqual([
    [0, 10, 1],
    [10, 10 + 80 / 3, 12],
    [10 + 80 / 3, 10 + 160 / 3, 40],
    [10 + 160 / 3, 90, 80],
  ])
})

test('by seconds, pieces go over cuts but not over what could not be decoded', () => {
  const stills = [still(1), still(6), still(11), still(31)]
  const shots = [shot(0, 5), shot(5, 10), shot(10, 20), shot(30, 40)]
  expect(seen(cutCaptionClips(shots, stills, { ...settings, mode: 'seconds', seconds: 10 }))).toEqual([
    [0, 10, 1, 6],
    [10, 20, 11],
    [30, 40, 31],
  ])
})

test('a piece in which nothing new is seen belongs to the clip before it, in the same shot alone', () => {
  const stills = [
    still(1, 'shot'),
    still(21, 'interval'),
    still(41, 'interval'),
    still(61, 'interval'),
    still(91, 'shot'),
  ]
  expect(seen(cutCaptionClips([shot(0, 90), shot(90, 100)], stills, settings))).toEqual([
    [0, 90, 1],
    [90, 100, 91],
  ])
})

test('a clip is shown by stills that differ, at even distances where they are too many', () => {
  const many = Array.from({ length: 12 }, (_, at) => still(at * 2))
  expect(seen(cutCaptionClips([shot(0, 30)], many, settings))).toEqual([[0, 30, 0, 10, 20, 22]])
  const few = [still(0, 'shot'), still(10, 'interval'), still(20)]
  expect(seen(cutCaptionClips([shot(0, 30)], few, settings))).toEqual([[0, 30, 0, 20]])
})

test('the frames of a clip in which much moves at first reach to its end', () => {
  const still28 = [
    ...Array.from({ length: 28 }, (_, at) => still(28 + at / 2)),
    still(46, 'interval'),
    still(51, 'interval'),
  ]
  expect(seen(cutCaptionClips([shot(28, 56)], [...still28, still(55.5)], settings))).toEqual([
    [28, 56, 28, 37.5, 46, 55.5],
  ])
})

test('nothing is captioned where captions are off, and nothing that has no still', () => {
  expect(cutCaptionClips([shot(0, 10)], [still(1)], { ...settings, mode: 'off' })).toEqual([])
  expect(cutCaptionClips([shot(0, 10)], [], settings)).toEqual([])
})
