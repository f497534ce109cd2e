import { expect, test } from 'vitest'
import { GapLog } from './gap-log.ts'

function logOf(times: number[]): GapLog {
  const log = new GapLog()
  for (const time of times) log.frame(time)
  return log
}

const steady = (from: number, to: number, step: number) =>
  Array.from({ length: Math.round((to - from) / step) }, (_, i) => from + i * step)

test('a second without frames is a gap at 25 frames a second, from the end of one frame to the next', () => {
  const [gap, ...others] = logOf([...steady(0, 10, 0.04), ...steady(12, 20, 0.04)]).gaps()
  expect(others).toEqual([])
  expect(gap!.start).toBeCloseTo(10, 1)
  expect(gap!.end).toBe(12)
})

test('slides of ten seconds have no gaps, and one of forty among them is one', () => {
  expect(logOf(steady(0, 600, 10)).gaps()).toEqual([])
  expect(logOf([...steady(0, 300, 10), 340, ...steady(350, 600, 10)]).gaps()).toHaveLength(1)
})

test('what is known at a seam goes on as if nothing had happened', () => {
  const times = [...steady(0, 10, 0.04), ...steady(13, 20, 0.04), ...steady(25, 30, 0.04)]
  const before = logOf(times.slice(0, 300))
  const after = new GapLog(structuredClone(before.save()), times[299])
  for (const time of times.slice(300)) after.frame(time)
  expect(after.gaps()).toEqual(logOf(times).gaps())
})
