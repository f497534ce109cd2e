import { describe, expect, test } from 'vitest'
import type { Coverage, Still } from '../video.ts'
import { cellWidth } from './room.ts'
import { shares, spreadStills } from './spread.ts'

const track = { state: 'indexed' as const, spans: [{ start: 0, end: 100 }], items: 0 }
const coverage = (spans = track.spans): Coverage => ({
  duration: 100,
  picture: { ...track, state: spans === track.spans ? 'indexed' : 'partial', spans },
  ...{ speech: track, sound: track, text: track },
  notes: [],
})
const still = (time: number, shot: number, sharpness?: number): Still => ({
  ...{ time, shot, reason: 'interval', width: 2, height: 2, offset: 0, length: 1 },
  ...(sharpness === undefined ? {} : { sharpness }),
})
const times = (stills: Still[], count: number, span = { start: 0, end: 100 }, seen = coverage()) =>
  spreadStills({ stills, coverage: seen }, span, count).map(one => one.time)

describe('kept frames of a span', () => {
  test('are one a shot, the sharpest, where there are more shots than frames asked for', () => {
    const stills = Array.from({ length: 10 }, (_, i) => [still(i * 10 + 1, i, 5), still(i * 10 + 6, i, 9)]).flat()
    expect(times(stills, 5)).toEqual([16, 36, 56, 76, 96])
    expect(times(stills, 10)).toEqual(stills.filter(one => one.sharpness === 9).map(one => one.time))
  })

  test('are more of long shots where there are fewer shots, and one of each at least', () => {
    const stills = [still(1, 0), ...Array.from({ length: 40 }, (_, i) => still(2 + i * 2, 1)), still(95, 2)]
    const chosen = times(stills, 8)
    expect(chosen).toHaveLength(8)
    expect([chosen[0], chosen.at(-1)]).toEqual([1, 95])
    const gaps = chosen.slice(1, -1).map((time, i, all) => (all[i + 1] ?? time) - time)
    expect(Math.max(...gaps)).toBeLessThan(20)
  })

  test('are none of what could not be decoded, and none outside of it', () => {
    const stills = Array.from({ length: 20 }, (_, i) => still(i * 5, i))
    const holed = coverage([
      { start: 0, end: 40 },
      { start: 60, end: 100 },
    ])
    expect(times(stills, 20, { start: 20, end: 80 }, holed)).toEqual([20, 25, 30, 35, 60, 65, 70, 75])
    expect(times([], 5)).toEqual([])
  })
})

test('shares are whole, in proportion, at least one each, and come to the count', () => {
  expect(shares([60, 30, 10], 10)).toEqual([6, 3, 1])
  expect(shares([98, 1, 1], 8)).toEqual([6, 1, 1])
  expect(shares([1, 1, 1], 2)).toEqual([1, 1, 1])
  expect(shares([], 4)).toEqual([])
})

test('four cells beside each other are as wide as a model looks at', () => {
  expect(cellWidth('chat/ollama/gemma3:4b')).toBe(224)
  expect(cellWidth('chat/ollama/qwen3-vl:8b')).toBe(320)
  expect(cellWidth('chat/openai/something-new')).toBe(256)
})
