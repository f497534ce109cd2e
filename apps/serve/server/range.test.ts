import { expect, test } from 'vitest'
import { readRange } from './media.ts'

const size = 10_000_000

test.each([
  ['bytes=0-0', 0, 0],
  ['bytes=10-19', 10, 19],
  ['bytes=9999990-99999999999', 9_999_990, 9_999_999],
  ['bytes=-5', 9_999_995, 9_999_999],
  ['bytes=-99999999999', 0, 9_999_999],
  ['bytes=100-', 100, 100 + 4 * 1024 * 1024 - 1], // an open end holds no connection for ever
  ['bytes=9999999-', 9_999_999, 9_999_999],
])('%s is %d to %d', (header, start, end) => {
  expect(readRange(header, size)).toEqual({ kind: 'part', start, end })
})

test.each([
  ...['bytes=20-10', 'bytes=10000000-', 'bytes=-0', 'bytes=-', 'bytes=', 'bytes=0-1,5-6', 'bytes=a-b', 'items=0-1'],
  ...['bytes=--5', 'bytes=0x0-1', 'bytes=1e3-', 'bytes=99999999999999999999-', 'bytes=0-1;', ''],
])('%j holds no byte that could be sent', header => {
  expect(readRange(header, size)).toEqual({ kind: 'unsatisfiable' })
})

test('without a range it is the whole file', () => {
  expect(readRange(undefined, size)).toEqual({ kind: 'whole' })
})
