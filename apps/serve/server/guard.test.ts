import { expect, test } from 'vitest'
import { guard, keyCheck } from './guard.ts'
import { equalInConstantTime, signer } from './sign.ts'

test('wrong tokens of a stranger never lock the owner out, and after ten in a second they are too many', () => {
  let time = 0
  const check = keyCheck(['right', 'key'], () => time)
  for (let attempt = 0; attempt < 10; attempt++) expect(() => check('Bearer wrong')).toThrow('not the token')
  expect(() => check('Bearer wrong')).toThrow('Too many')
  expect(() => check('Bearer right')).not.toThrow()
  expect(() => check('Bearer key')).not.toThrow()
  time = 1001
  expect(() => check('Bearer wrong')).toThrow('not the token')
})

test('a request without a token is no attempt', () => {
  const check = keyCheck(['right'], () => 0)
  for (let attempt = 0; attempt < 100; attempt++) expect(() => check(undefined)).toThrow('needs the token')
  expect(() => check('Bearer right')).not.toThrow()
})

test('a signature is of one path and of one start', () => {
  const first = signer()
  expect(first.isSigned('media v1', first.sign('media v1'))).toBe(true)
  expect(first.isSigned('media v2', first.sign('media v1'))).toBe(false)
  expect(signer().isSigned('media v1', first.sign('media v1'))).toBe(false)
  expect([
    equalInConstantTime('a', 'a'),
    equalInConstantTime('a', 'b'),
    equalInConstantTime('a', 'aa'),
    equalInConstantTime('', ''),
  ]).toEqual([true, false, false, true])
})

test('dots lead nobody from the model endpoint to what "localhost" has not', () => {
  const names = { own: ['127.0.0.1:4747'], elsewhere: ['localhost:4747'] }
  const enter = (target: string) => guard(names, { method: 'GET', target, rawHeaders: ['Host', 'localhost:4747'] }).to
  expect(enter('/v1/models')).toBe('serve')
  for (const target of ['/v1/../api/videos', '/v1/%2e%2E/api/videos', '/v1/./../', '/v1/x/../../mcp', '/v1/..\\api'])
    expect(enter(target), target).toBe('redirect')
})
