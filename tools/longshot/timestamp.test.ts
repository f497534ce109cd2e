import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readTimestamp, timestamp } from './timestamp.ts'

const duration = 5400
const spanOf = (value: unknown) => readTimestamp(timestamp.parse(value), duration).span

describe('a timestamp', () => {
  test.each([
    ['00:10-00:20', 10, 20],
    ['0:10 - 0:20', 10, 20],
    ['00:10–00:20', 10, 20],
    ['[12:04-12:31]', 724, 751],
    ['01:02:03-01:02:33', 3723, 3753],
    ['00:01:02,500 --> 00:01:04,000', 62.5, 64],
    ['from 0:10 to 1:20.5', 10, 80.5],
    ['75.5-80', 75.5, 80],
    ['10 to 20 seconds', 10, 20],
    ['1:10-20', 70, 80],
    ['1m30s-2m', 90, 120],
    ['00:20-00:10', 10, 20],
    ['89:50-end', 5390, 5400],
    ['10 20', 10, 20],
    ['whole video', 0, 5400],
    [[10, 20], 10, 20],
    [['0:10', '0:20'], 10, 20],
    [{ start: 10, end: '0:20' }, 10, 20],
    [{ start_time: '00:00:10', end_time: '00:00:20' }, 10, 20],
  ])('%j is a range', (value, start, end) => {
    expect(spanOf(value)).toEqual({ start, end })
  })

  test.each([['00:10'], ['00:00:10'], ['10'], ['10s'], [10], [{ start: 10 }], ['at 0:10']])(
    '%j is a moment, and a few seconds around it are meant',
    value => {
      expect(readTimestamp(timestamp.parse(value), duration)).toEqual({ span: { start: 7.5, end: 12.5 }, moment: true })
    },
  )

  test('a range past the end is cut, and that is said', () => {
    expect(readTimestamp('89:00-99:00', duration)).toMatchObject({
      span: { start: 5340, end: 5400 },
      note: 'The video ends at 1:30:00.',
    })
  })

  test('what begins after the end, several ranges and no time at all are refused with a way out', () => {
    expect(() => readTimestamp('99:00-99:10', duration)).toThrow(/lies after the end: the video is 1:30:00 long/)
    expect(() => readTimestamp('0:10-0:20, 1:10-1:20', duration)).toThrow(/not one time or one range/)
    expect(() => readTimestamp('when she leaves', duration)).toThrow(/not one time or one range/)
  })

  test('a model sees it as a text that must be there', () => {
    const schema = z.toJSONSchema(z.object({ timestamp }), { io: 'input', unrepresentable: 'any' })
    expect(schema).toMatchObject({ properties: { timestamp: { type: 'string' } }, required: ['timestamp'] })
  })
})
