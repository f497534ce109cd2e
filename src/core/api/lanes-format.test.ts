import { expect, test } from 'vitest'
import { decodeLanes, encodeLanes } from './lanes-format.ts'

test('lanes are read as they were written, whatever the length of their header', () => {
  for (const video of ['v', 'v1', 'v12', 'v123']) {
    const spans = [
      { start: 0, end: 1.5 },
      { start: 43_199.9994, end: 43_200 },
    ]
    const { columns, duration } = decodeLanes(
      encodeLanes({ video, duration: 43_200 }, [
        { lane: 'speech', spans },
        { lane: 'text', spans: [] },
        { lane: 'sound', spans: spans.slice(1), silent: [0] },
      ]),
    )
    expect(duration).toBe(43_200)
    expect(columns).toEqual([
      { lane: 'speech', starts: Uint32Array.of(0, 43_199_999), ends: Uint32Array.of(1500, 43_200_000) },
      { lane: 'text', starts: new Uint32Array(), ends: new Uint32Array() },
      { lane: 'sound', starts: Uint32Array.of(43_199_999), ends: Uint32Array.of(43_200_000), silent: [0] },
    ])
  }
})

test('100,000 rows over twelve hours are less than a megabyte', () => {
  const spans = Array.from({ length: 100_000 }, (_, at) => ({ start: at * 0.43, end: at * 0.43 + 0.4 }))
  expect(encodeLanes({ video: 'v', duration: 43_200 }, [{ lane: 'speech', spans }]).length).toBeLessThan(1_000_000)
})
