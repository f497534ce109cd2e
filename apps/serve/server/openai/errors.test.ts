import { expect, test } from 'vitest'
import { Refused } from '../../../../src/core/api/problem.ts'
import { BackendError, InputError, StorageError, UsageError } from '../../../../src/core/errors.ts'
import { errorReply, type OpenAiError, refusalOfProblem, toRefusal } from './errors.ts'

test.each([
  [new UsageError('a'), 400, 'invalid_request', 'invalid_request_error', 'false'],
  [new Refused('token', 'a'), 401, 'invalid_api_key', 'authentication_error', 'false'],
  [new Refused('changed', 'a'), 409, 'video_changed', 'invalid_request_error', 'false'],
  [new Refused('too_large', 'a'), 413, 'too_large', 'invalid_request_error', 'false'],
  [new InputError('a'), 422, 'video_unreadable', 'invalid_request_error', 'false'],
  [new Refused('queue_full', 'a'), 429, 'queue_full', 'rate_limit_error', 'true'],
  [new BackendError('a'), 502, 'backend_unavailable', 'server_error', 'false'],
  [new BackendError('a', { retryable: true }), 503, 'backend_unavailable', 'server_error', 'true'],
  [new StorageError('a'), 507, 'storage_full', 'server_error', 'false'],
  [new Error('a'), 500, 'server_error', 'server_error', 'false'],
])('%o is an error as the clients of OpenAI know it', async (error, status, code, type, again) => {
  const reply = errorReply(toRefusal(error))
  expect(reply.status).toBe(status)
  expect(((await reply.json()) as OpenAiError).error).toMatchObject({
    code,
    type,
    param: null,
    message: expect.stringContaining('a'),
  })
  expect(reply.headers.get('x-should-retry')).toBe(again)
  expect(reply.headers.has('retry-after')).toBe(status === 429)
})

test('the error that a job has kept says what to do next', () => {
  const { status, body } = refusalOfProblem({
    code: 'backend',
    message: 'It failed.',
    hint: 'Start it.',
    retryable: false,
  })
  expect([status, body.error.message]).toEqual([502, 'It failed. Start it.'])
})
