import { expect, test } from 'vitest'
import type { Still, VideoIndex } from '../src/core/video.ts'
import { handMadeIndex } from '../tests/agent/hand-made-index.ts'
import { framesByChange, sampleMoments } from './moments.ts'

const stills = (times: number[]): Still[] =>
  times.map(time => ({ time, shot: 0, reason: 'interval', width: 16, height: 9, offset: 0, length: 1 }))
const indexOf = (times: number[]): VideoIndex => ({
  ...handMadeIndex({ duration: 60, rows: [] }),
  stills: stills(times),
})
const span = { start: 0, end: 60 }

test('moments lie evenly from the first frame of the span to its last, whatever the index kept of it', () => {
  const times = sampleMoments({ start: 70, end: 88 }, indexOf([75.5, 76, 76.5, 84.5]), 8)
  expect(times).toHaveLength(8)
  expect([times[0], times.at(-1)]).toEqual([70, 87.96])
  const steps = times.slice(1).map((time, at) => time - times[at]!)
  expect(Math.max(...steps) - Math.min(...steps)).toBeLessThan(0.01)
})

test('moments are none of what could not be decoded, and a span that is lost whole is refused', () => {
  const index = indexOf([])
  const { coverage } = index
  const spans = [{ start: 0, end: 20 }]
  const torn = {
    ...index,
    coverage: { ...coverage, picture: { ...coverage.picture, state: 'partial' as const, spans } },
  }
  expect(sampleMoments(span, torn, 4)).toEqual([0, 19.987])
  expect(() => sampleMoments({ start: 30, end: 40 }, torn, 4)).toThrow('could not be decoded')
})

test('a look has two frames for each change of the picture, four where it stands still and 64 at most', () => {
  const moving = (count: number, reason: Still['reason'] = 'change') => {
    const index = indexOf(Array.from({ length: count }, (_, at) => (at * 60) / count))
    return { ...index, stills: index.stills.map(still => ({ ...still, reason })) }
  }
  expect(framesByChange(span, moving(0))).toBe(4)
  expect(framesByChange(span, moving(12, 'interval'))).toBe(4)
  expect(framesByChange(span, moving(12))).toBe(24)
  expect(framesByChange({ start: 0, end: 30 }, moving(12))).toBe(12)
  expect(framesByChange(span, moving(50))).toBe(64)
  const { coverage, ...keyframes } = moving(1)
  expect(framesByChange(span, { ...keyframes, coverage: { ...coverage, picturesFrom: 'keyframes' } })).toBe(8)
})
