import { describe, expect, test } from 'vitest'
import type { Coverage, Still } from '../video.ts'
import { spreadStills } from './spread.ts'

const track = { state: 'indexed' as const, spans: [{ start: 0, end: 100 }], items: 0 }
const coverage = (spans = track.spans): Coverage => ({
  duration: 100,
  picture: { ...track, state: spans === track.spans ? 'indexed' : 'partial', spans },
  ...{ speech: track, sound: track, text: track },
  notes: [],
})
const still = (time: number): Still => ({
  ...{ time, shot: 0, reason: 'interval', width: 2, height: 2, offset: 0, length: 1 },
})
const times = (stills: Still[], count: number, span = { start: 0, end: 100 }, seen = coverage()) =>
  spreadStills({ stills, coverage: seen }, span, count).map(one => one.time)

describe('kept frames of a span', () => {
  test('lie at equal distances from the first second to the last, however they cluster', () => {
    const stills = [...Array.from({ length: 30 }, (_, i) => i / 10), 5, 10, 15, 20, 25, 30, 35, 40].map(still)
    expect(times(stills, 5, { start: 0, end: 40.5 })).toEqual([0, 10, 20, 30, 40])
    expect(times(stills, 9, { start: 0, end: 40.5 })).toEqual([0, 5, 10, 15, 20, 25, 30, 35, 40])
  })

  test('are each there once, and all of them if they are few', () => {
    const stills = [0, 40, 41, 42, 43, 44].map(still)
    expect(times(stills, 4, { start: 0, end: 44.5 })).toEqual([0, 40, 41, 44])
    expect(times(stills, 9, { start: 0, end: 44.5 })).toEqual([0, 40, 41, 42, 43, 44])
  })

  test('are none of what could not be decoded, and none outside of it', () => {
    const stills = Array.from({ length: 20 }, (_, i) => still(i * 5))
    const holed = coverage([
      { start: 0, end: 40 },
      { start: 60, end: 100 },
    ])
    expect(times(stills, 20, { start: 20, end: 80 }, holed)).toEqual([20, 25, 30, 35, 60, 65, 70, 75])
    expect(times([], 5)).toEqual([])
  })
})
