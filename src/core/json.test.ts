import { expect, test } from 'vitest'
import { processorTime } from '../../tests/support/processor-time.ts'
import { shallowJson } from './json.ts'

test.each(['{"a":[1,"[[[{\\"\\\\",{}]}', '[]', '"\\\\"', `"${'['.repeat(1000)}"`, `[${'[],'.repeat(5000)}1]`, ' 12 '])(
  'reads what JSON.parse reads: %.40s',
  text => expect(shallowJson(text)).toEqual(JSON.parse(text)),
)

test.each(['[', '{"a":'])('refuses a value that is nested without end in %s', open => {
  expect(() => shallowJson(`${open.repeat(100_000)}1`)).toThrow(SyntaxError)
  expect(() => shallowJson(`${open.repeat(201)}1${(open === '[' ? ']' : '}').repeat(201)}`)).toThrow(/nested/)
})

test('a string of a million quotes and backslashes takes no time', () => {
  const used = processorTime()
  expect(shallowJson(`"${'\\"\\\\'.repeat(250_000)}"`)).toHaveLength(500_000)
  expect(used()).toBeLessThan(2000)
})
