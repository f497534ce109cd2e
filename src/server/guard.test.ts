import { expect, test } from 'vitest'
import { keyCheck } from './guard.ts'
import { sameText, signer } from './sign.ts'

test('after ten wrong tokens no more is tried until the second is over, not even the right one', () => {
  let time = 0
  const check = keyCheck(['right'], () => time)
  for (let attempt = 0; attempt < 10; attempt++) expect(() => check('Bearer wrong')).toThrow('not the token')
  expect(() => check('Bearer right')).toThrow('Too many')
  time = 1001
  expect(() => check('Bearer right')).not.toThrow()
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
  expect([sameText('a', 'a'), sameText('a', 'b'), sameText('a', 'aa'), sameText('', '')]).toEqual([
    true,
    false,
    false,
    true,
  ])
})
