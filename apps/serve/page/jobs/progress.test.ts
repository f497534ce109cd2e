import { expect, test } from 'vitest'
import { computePace, computeTimeLeft, leftText } from './progress.ts'

const running = (stage: string, done: number, seconds: number) => ({
  stage,
  state: 'running',
  done,
  total: 180,
  seconds,
})

test('what is left of a stage is what it still has at the speed that it had', () => {
  expect(computePace(running('decode', 90, 15))).toEqual({ times: 6, left: 15 })
  expect(computePace({ ...running('decode', 180, 30), state: 'done' })).toEqual({ times: 6 })
})

test('nothing is said before there is something to go by', () => {
  expect(computePace({ stage: 'speech', state: 'waiting', total: 180 })).toBeUndefined()
  expect(computePace(running('decode', 1, 0.1))).toBeUndefined()
  expect(computeTimeLeft({ stages: [] })).toBeUndefined()
})

test('a job takes as long as its slowest stage', () => {
  expect(computeTimeLeft({ stages: [running('decode', 90, 15), running('speech', 18, 9)] })).toBe(81)
  expect([0.01, 4.4, 81, 600].map(leftText)).toEqual(['1 s', '4 s', '81 s', '10 min'])
})
