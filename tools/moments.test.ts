import { expect, test } from 'vitest'
import type { Still, VideoIndex } from '../src/core/video.ts'
import { handMadeIndex } from '../tests/agent/hand-made-index.ts'
import { framesByChange, momentsOf } from './moments.ts'

const stills = (times: number[]): Still[] =>
  times.map(time => ({ time, shot: 0, reason: 'interval', width: 16, height: 9, offset: 0, length: 1 }))
const indexOf = (times: number[]): VideoIndex => ({
  ...handMadeIndex({ duration: 60, rows: [] }),
  stills: stills(times),
})
const span = { start: 0, end: 60 }
const every5 = Array.from({ length: 12 }, (_, at) => at * 5)

test('frames that were kept come first, the rest lies evenly in the span', () => {
  expect(momentsOf(span, indexOf(every5), 4)).toEqual([0, 15, 30, 45])
  expect(momentsOf(span, indexOf([20]), 3)).toEqual([15, 20, 45])
})

test('an index of keyframes alone leaves half of the looks to moments that it has not seen', () => {
  const kept = every5.map(time => time + 1)
  const index = indexOf(kept)
  const quick = { ...index, coverage: { ...index.coverage, picturesFrom: 'keyframes' as const } }
  const times = momentsOf(span, quick, 6)
  expect(times).toHaveLength(6)
  expect(times.filter(time => !kept.includes(time)).length).toBe(times.filter(time => kept.includes(time)).length)
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
