import { expect, test } from 'vitest'
import { columnOfLane, columnOfSpans, rowAt, rowBeside } from './columns.ts'
import { cover } from './cover.ts'
import { timeTicks } from './draw.ts'
import { laneKinds } from './lane-list.ts'
import { hitAt } from './lanes.tsx'
import { closeness, keepInSight, panBy, wholeWindow, windowOfCloseness, zoomAround } from './zoom.ts'

const column = columnOfSpans([
  { start: 10, end: 12 },
  { start: 0, end: 60 }, // a long row below the others
  { start: 20, end: 21 },
])

test('a moment is in the row begun last, also where an earlier one is longer', () => {
  expect(rowAt(column, 11_000)).toBe(1)
  expect(rowAt(column, 30_000)).toBe(0)
  expect(rowAt(column, 60_000)).toBeUndefined()
  expect(rowAt(column, 70_000, true)).toBe(2)
})

test('the next and the previous row are those that begin there', () => {
  expect(rowBeside(column, 0, 1)).toBe(1)
  expect(rowBeside(column, 10_000, 1)).toBe(2)
  expect(rowBeside(column, 10_000, -1)).toBe(0)
  expect(rowBeside(column, 0, -1)).toBeUndefined()
  expect(rowBeside(column, 20_000, 1)).toBeUndefined()
})

function covered(window: { from: number; to: number }, width: number, of = column): number[] {
  const out = new Float32Array(width)
  cover(of, window, out)
  return [...out].map(share => Math.round(share * 100) / 100)
}

test('a pixel is as full as its rows cover it', () => {
  const one = columnOfSpans([{ start: 1, end: 3.5 }])
  expect(covered({ from: 0, to: 5 }, 5, one)).toEqual([0, 1, 1, 0.5, 0])
})

test('a row that began long before the window is in it, one that ended before is not', () => {
  expect(covered({ from: 30, to: 34 }, 4)).toEqual([1, 1, 1, 1])
  expect(covered({ from: 60, to: 64 }, 4)).toEqual([0, 0, 0, 0])
})

test('the smallest row is seen among twelve hours', () => {
  const one = columnOfSpans([{ start: 20_000, end: 20_000.1 }])
  const seen = covered(wholeWindow(43_200), 900, one).filter(share => share > 0)
  expect(seen).toEqual([0.2])
})

test('zooming keeps the moment below the pointer, and neither leaves the video nor goes below half a second', () => {
  const zoomed = zoomAround({ from: 0, to: 100 }, 25, 0.5, 100)
  expect(zoomed).toEqual({ from: 12.5, to: 62.5 })
  expect(zoomAround(zoomed, 25, 100, 100)).toEqual({ from: 0, to: 100 })
  const closest = zoomAround({ from: 0, to: 100 }, 99.9, 1e-9, 100)
  expect(closest.to - closest.from).toBeCloseTo(0.5)
  expect(closest.to).toBeLessThanOrEqual(100)
})

test('panning stops at both ends', () => {
  expect(panBy({ from: 10, to: 20 }, -30, 100)).toEqual({ from: 0, to: 10 })
  expect(panBy({ from: 10, to: 20 }, 300, 100)).toEqual({ from: 90, to: 100 })
})

test('what plays is kept in sight', () => {
  expect(keepInSight({ from: 10, to: 20 }, 15, 100)).toEqual({ from: 10, to: 20 })
  const moved = keepInSight({ from: 10, to: 20 }, 20.5, 100)
  expect(moved.from).toBeLessThan(20.5)
  expect(moved.to).toBeGreaterThan(20.5)
})

test('the zoom control says how close the lanes are, and brings them there', () => {
  for (const close of [0, 0.3, 1])
    expect(closeness(windowOfCloseness(close, 50, wholeWindow(3600), 3600), 3600)).toBeCloseTo(close)
})

test('the axis has a label each 90 pixels or more', () => {
  const found = timeTicks({ from: 0, to: 43_200 }, 900)
  expect(found.length).toBeLessThanOrEqual(11)
  expect(found[1]?.label).toBe('2:00:00')
})

test('a pointer hits the moment and the lane below it', () => {
  const lanes = laneKinds.map(kind => ({ ...kind, gaps: [] }))
  const measures = { width: 1000, axis: 20, lane: 20 }
  expect(hitAt({ x: 500, y: 45 }, measures, { from: 0, to: 10 }, lanes)).toMatchObject({
    time: 5,
    lane: { name: 'speech' },
  })
  expect(hitAt({ x: 2000, y: 5 }, measures, { from: 0, to: 10 }, lanes)).toEqual({ time: 10, lane: undefined })
})

test('silence is not drawn, and a text that stays is drawn where it comes', () => {
  const starts = Uint32Array.of(0, 5000, 9000)
  const ends = Uint32Array.of(4000, 9000, 100_000)
  const sound = columnOfLane({ lane: 'sound', starts, ends, silent: [1] }, 120)
  expect([...sound.starts]).toEqual([0, 5000, 9000])
  expect([...(sound.drawn?.starts ?? [])]).toEqual([0, 9000])
  const text = columnOfLane({ lane: 'text', starts, ends }, 120)
  expect([...(text.drawn?.ends ?? [])]).toEqual([4000, 9000, 10_000])
})
