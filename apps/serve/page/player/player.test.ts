import { expect, test } from 'vitest'
import { createClock, spanOfText, textOfSpan } from './clock.ts'
import { boxIn } from './picture-in.ts'
import { firstWay } from './playback.ts'

test('a moment and a span are read from the address and written to it', () => {
  expect(spanOfText('754')).toBe(754)
  expect(spanOfText('754.25-791')).toEqual({ start: 754.25, end: 791 })
  for (const text of [null, '', 'x', '-1', '1e9', '5:00']) expect(spanOfText(text)).toBeUndefined()
  expect(spanOfText('9-3')).toBe(9)
  expect(textOfSpan({ start: 754.25, end: 791 })).toBe('754.25-791')
})

test('a span stays marked while the player is in it', () => {
  const clock = createClock(100)
  clock.seek({ start: 10, end: 12 })
  clock.report(9.98, false) // the frame that is shown is a little before
  expect(clock.marked.value).toEqual({ start: 10, end: 12 })
  clock.report(12.1, true)
  expect(clock.marked.value).toBeUndefined()
})

test('what plays later is brought to the moment that was sought before', () => {
  const clock = createClock(100)
  clock.seek(200)
  const sought: number[] = []
  clock.attach({ seek: seconds => void sought.push(seconds), toggle() {} })
  expect(sought).toEqual([100])
})

test('pieces are played where the server or the browser says so', () => {
  const sources = { direct: '/source', hls: '/hls', says: 'direct', type: 'video/mp4' } as const
  expect(firstWay(sources, () => 'maybe')).toBe('direct')
  expect(firstWay(sources, () => '')).toBe('hls')
  expect(firstWay({ ...sources, says: 'hls' }, () => 'probably')).toBe('hls')
})

test('a box lies on the picture, whatever bars the player leaves', () => {
  const box = { x: 0.5, y: 0, width: 0.25, height: 1 }
  expect(boxIn({ width: 400, height: 100 }, { width: 200, height: 100 }, box)).toEqual({
    ...{ x: 200, y: 0, width: 50, height: 100 },
  })
  expect(boxIn({ width: 100, height: 400 }, { width: 100, height: 100 }, box)).toEqual({
    ...{ x: 50, y: 150, width: 25, height: 100 },
  })
})
