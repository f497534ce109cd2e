import { describe, expect, test } from 'vitest'
import type { TextLine } from '../../../src/core/services.ts'
import type { Shot, Still } from '../../../src/core/video.ts'
import { trackText } from './track-text.ts'

const still = (time: number): Still => ({
  time,
  shot: 0,
  reason: 'text',
  width: 640,
  height: 360,
  offset: 0,
  length: 1,
})
const line = (text: string, y: number, confidence = 0.9): TextLine => ({
  text,
  confidence,
  box: { x: 0.1, y, width: 0.5, height: 0.05 },
})
const shots: Shot[] = [
  { start: 0, end: 10, opens: 'start' },
  { start: 10, end: 30, opens: 'cut' },
]

test('a text shown on many stills is one row from its first frame to its last', () => {
  const rows = trackText(
    [0.5, 3, 6].map(time => ({ still: still(time), lines: [line('OPENING HOURS', 0.2)] })),
    shots,
    8,
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]!.span).toEqual({ start: 0, end: 8 })
})

test('the best reading of a text wins over worse ones', () => {
  const readings = [
    { still: still(1), lines: [line('0PENING H0URS', 0.2, 0.5)] },
    { still: still(2), lines: [line('OPENING HOURS', 0.21, 0.95)] },
  ]
  expect(trackText(readings, shots, 8).map(row => row.text)).toEqual(['OPENING HOURS'])
})

test('a line that is added to a slide later has a row of its own', () => {
  const readings = [
    { still: still(0), lines: [line('Agenda', 0.1)] },
    { still: still(4), lines: [line('Agenda', 0.1), line('Budget for the year', 0.3)] },
  ]
  expect(trackText(readings, shots, 10).map(row => [row.text, row.span])).toEqual([
    ['Agenda', { start: 0, end: 10 }],
    ['Budget for the year', { start: 4, end: 10 }],
  ])
})

test('lines that come and go together are one row in reading order', () => {
  const readings = [
    { still: still(0), lines: [] },
    { still: still(12), lines: [line('second', 0.5), line('first', 0.2)] },
  ]
  const rows = trackText(readings, shots, 30)
  expect(rows.map(row => row.text)).toEqual(['first\nsecond'])
  expect(rows[0]!.span.start).toBe(10) // the shot's first frame, not the still's
})

describe('a text that is read on the first still after a gradual cut', () => {
  const sign = [line('HOTEL VEGA', 0.1)]
  const from10 = (opens: Shot['opens']): Shot[] => [
    { start: 0, end: 10, opens: 'start' },
    { start: 10, end: 30, opens },
    { start: 30, end: 40, opens: 'cut' },
  ]
  const ends = (opens: Shot['opens'], times: number[], shown: number[]) => {
    const readings = times.map(time => ({ still: still(time), lines: shown.includes(time) ? sign : [] }))
    return trackText(readings, from10(opens), 40).map(({ span }) => span.end)
  }

  test('shines through where the next still of the shot lacks it', () => {
    expect(ends('gradual', [4, 10.3, 18], [4, 10.3])).toEqual([10])
  })

  test('stands in every other case', () => {
    expect(ends('cut', [4, 10.3, 18], [4, 10.3])).toEqual([18])
    expect(ends('gradual', [4, 10.3, 18, 25], [4, 10.3, 18])).toEqual([25])
    expect(ends('gradual', [4, 12, 18], [4, 12])).toEqual([18]) // too late for a dissolve
    expect(ends('gradual', [10.3, 18], [10.3])).toEqual([18]) // no text of the shot before
    expect(ends('gradual', [4, 10.3, 31], [4, 10.3])).toEqual([30]) // the only still of its shot
  })
})

test('a counter that moves on is not one text that stays', () => {
  const readings = [1, 2, 3].map(second => ({ still: still(second), lines: [line(`TIME 00:0${second}`, 0.9)] }))
  expect(trackText(readings, shots, 4)).toHaveLength(3)
})

test('the same words at two different times are two rows', () => {
  const readings = [
    { still: still(1), lines: [line('SALE', 0.4)] },
    { still: still(4), lines: [] },
    { still: still(7), lines: [line('SALE', 0.4)] },
  ]
  expect(trackText(readings, shots, 9).map(row => row.span)).toEqual([
    { start: 0, end: 4 },
    { start: 7, end: 9 },
  ])
})

test('slides that differ in one word are two texts', () => {
  const readings = [
    { still: still(1), lines: [line('The new bridge', 0.1)] },
    { still: still(5), lines: [line('The old bridge', 0.1)] },
    { still: still(8), lines: [line('The old bridge', 0.1)] },
  ]
  expect(trackText(readings, shots, 10).map(row => [row.text, row.span.start])).toEqual([
    ['The new bridge', 0],
    ['The old bridge', 5],
  ])
})

test('a text that something passes in front of is one row', () => {
  const whole = line('STATION SQUARE', 0.1)
  const half = { ...line('UARE', 0.1), box: { x: 0.4, y: 0.1, width: 0.2, height: 0.05 } }
  const readings = [
    { still: still(11), lines: [whole] },
    { still: still(12), lines: [half] },
    { still: still(13), lines: [] },
    { still: still(14), lines: [whole] },
  ]
  const rows = trackText(readings, shots, 20)
  expect(rows.map(row => [row.text, row.span])).toEqual([['STATION SQUARE', { start: 10, end: 20 }]])
})
