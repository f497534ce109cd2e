import { expect, test } from 'vitest'
import { handMadeIndex, heard } from '../../../tests/agent/hand-made-index.ts'
import { openingMoments } from './opening-moments.ts'

const still = (time: number) => ({
  ...{ time, shot: 0, reason: 'change' as const, width: 2, height: 2, offset: 0, length: 1 },
})
const index = (duration: number, changes: number[] = []) => ({
  ...handMadeIndex({ duration, rows: [heard(400.2, 400.6, 'a shot')] }),
  stills: changes.map(still),
})
const whole = (duration: number) => ({ start: 0, end: duration })

test('a short film has two frames a second, a minute one, the first and last moment included', () => {
  const times = openingMoments(index(20), whole(20), 64)
  expect(times).toHaveLength(41)
  expect([times[0], times.at(-1)]).toEqual([0, 19.96])
  expect(openingMoments(index(60), whole(60), 64)).toHaveLength(61)
})

test('of a long film what lies between two even frames is shown too: a scene of three seconds, a shot that is heard', () => {
  const times = openingMoments(index(800, [0, 587, 590]), whole(800), 64)
  expect(times.length).toBeLessThanOrEqual(64)
  expect(times.some(time => time >= 587 && time < 590)).toBe(true)
  expect(times.some(time => Math.abs(time - 400.4) < 1)).toBe(true)
  const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0))
  expect(Math.max(...gaps)).toBeLessThan(800 / 60)
})
