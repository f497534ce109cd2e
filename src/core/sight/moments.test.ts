import { expect, test } from 'vitest'
import { chooseFrameTimes, evenMoments } from './moments.ts'

const steps = (times: number[]) => times.slice(1).map((time, at) => time - (times[at] ?? 0))

test('moments have equal distances, and the first and the last frame of the span are among them', () => {
  const times = evenMoments({ start: 40, end: 62 }, 12)
  expect(times).toHaveLength(12)
  expect(times[0]).toBe(40)
  expect(times.at(-1)).toBeGreaterThan(61.9)
  expect(times.at(-1)).toBeLessThan(62)
  expect(Math.max(...steps(times)) - Math.min(...steps(times))).toBeLessThan(0.01)
})

test('no more moments are asked for than a span has frames', () => {
  const times = evenMoments({ start: 5, end: 5.2 }, 64)
  expect(Math.min(...steps(times))).toBeGreaterThan(0.039)
  expect(evenMoments({ start: 5, end: 5 }, 8)).toEqual([5])
  expect(evenMoments({ start: 4, end: 8 }, 1)).toEqual([6])
  expect(evenMoments({ start: 4, end: 8 }, 0)).toEqual([])
})

test('frames come twice a second, eight times a second in a short span, and 64 at most', () => {
  expect(Math.max(...steps(chooseFrameTimes({ start: 0, end: 20 })))).toBeLessThanOrEqual(0.5)
  expect(Math.max(...steps(chooseFrameTimes({ start: 7, end: 9 })))).toBeLessThanOrEqual(0.125)
  expect(chooseFrameTimes({ start: 0, end: 600 })).toHaveLength(64)
  expect(chooseFrameTimes({ start: 0, end: 60 }, { perSecond: 1, max: 32 })).toHaveLength(32)
})
