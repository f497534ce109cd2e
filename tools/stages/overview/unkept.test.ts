import { expect, test } from 'vitest'
import type { Shot } from '../../../src/core/video.ts'
import { unkeptSpans } from './unkept.ts'

const shots: Shot[] = [
  { start: 0, end: 60, opens: 'start' },
  { start: 60, end: 61.5, opens: 'cut' },
  { start: 61.5, end: 90, opens: 'cut' },
]
const at = (...times: number[]) => times.map(time => ({ time }))
const dense = at(0, 5, 10, 15, 20, 25, 30, 35, 40, 43, 60.5, 61.7, 66, 71, 76, 81, 86)
const report = { picture: { first: 0, last: 89.96, frames: 2250 }, errors: 0, notes: [] }

test('where two stills are five seconds apart at most, everything counts as kept', () => {
  expect(unkeptSpans([shots[1]!, shots[2]!], dense, report)).toEqual([])
})

test('a pause without a still is named, but for what its neighbours stand for, and a shot without any is named whole', () => {
  const stills = [...dense.filter(({ time }) => time < 60), ...at(57, 61.7, 66, 71, 76, 81, 86)]
  expect(unkeptSpans(shots, stills, report)).toEqual([
    { start: 45.501, end: 54.5 },
    { start: 60, end: 61.5 },
  ])
})

test('a frame that stays on screen is seen for as long as it stays, except among keyframes', () => {
  const stills = dense.filter(({ time }) => time < 60 && time <= 43)
  const still = { ...report, picture: { ...report.picture, still: [{ start: 43.04, end: 60 }] } }
  expect(unkeptSpans([shots[0]!], stills, still)).toEqual([])
  const slow = { ...report, picture: { first: 0, last: 50, frames: 6 } }
  const tens = at(0, 10, 20, 30, 40, 50)
  expect(unkeptSpans([shots[0]!], tens, slow)).toEqual([])
  expect(unkeptSpans([shots[0]!], tens, { ...slow, level: 'quick' })).toHaveLength(6)
})
