import { expect, test } from 'vitest'
import type { Still } from '../../../src/core/video.ts'
import { worthReading } from './worth-reading.ts'

const readOf = (stills: [time: number, reason: Still['reason'], shot?: number][]) => {
  const isRead = worthReading()
  return stills.filter(([time, reason, shot = 0]) => isRead({ time, reason, shot })).map(([time]) => time)
}

test('a picture that stands still is read once in twenty seconds, however many stills show it', () => {
  const stills = Array.from({ length: 12 }, (_, at) => [at * 5, at === 0 ? 'shot' : 'interval'] as [number, 'interval'])
  expect(readOf(stills)).toEqual([0, 20, 40])
})

test('what moves is read once a second, and what it came to rest as is read too', () => {
  expect(
    readOf([
      ...([
        [0, 'shot'],
        [0.5, 'change'],
        [1, 'change'],
        [1.5, 'change'],
        [6.5, 'interval'],
        [11.5, 'interval'],
      ] as [number, Still['reason']][]),
      [12, 'shot', 1],
    ]),
  ).toEqual([0, 1, 6.5, 12])
})

test('a shot that moves for minutes is read eight times at once, then six times in ten seconds', () => {
  const moving = Array.from({ length: 120 }, (_, at) => [at, 'change'] as [number, 'change'])
  const read = readOf(moving)
  expect(read.slice(0, 8)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  const pauses = read.map((time, at) => time - (read[at - 1] ?? 0))
  expect(Math.max(...pauses)).toBe(2)
  expect(read.length).toBeGreaterThan(74)
  expect(read.length).toBeLessThan(82)
  // What comes after a cut, or after a calm, is read again at once.
  expect(readOf([...moving, [120, 'shot', 1], [121, 'change', 1], [140, 'text', 1]])).toEqual(
    expect.arrayContaining([120, 140]),
  )
})
