import { expect, test } from 'vitest'
import { retryAfterSeconds, retryDelaySeconds } from './retry-after.ts'

test('Retry-After is read as seconds and as a date', () => {
  expect(retryAfterSeconds('120', undefined)).toBe(120)
  expect(retryAfterSeconds(new Date(Date.now() + 30_000).toUTCString(), undefined)).toBeGreaterThan(27)
  expect(retryAfterSeconds('soon', undefined)).toBeUndefined()
  expect(retryAfterSeconds(undefined, undefined)).toBeUndefined()
})

test('a date is measured by the clock of the server that wrote it', () => {
  const until = 'Wed, 21 Oct 2015 07:28:10 GMT'
  expect(retryAfterSeconds(until, 'Wed, 21 Oct 2015 07:28:00 GMT')).toBe(10)
  expect(retryAfterSeconds(until, undefined)).toBe(0)
})

test("Google's retryDelay is read from the details of an error", () => {
  const info = (retryDelay: unknown) => [{ '@type': 'type.googleapis.com/google.rpc.QuotaFailure' }, { retryDelay }]
  expect(retryDelaySeconds(info('17s'))).toBe(17)
  expect(retryDelaySeconds(info('3.5s'))).toBe(3.5)
  for (const other of [info('soon'), info(17), [null], 'later', undefined])
    expect(retryDelaySeconds(other)).toBeUndefined()
})
