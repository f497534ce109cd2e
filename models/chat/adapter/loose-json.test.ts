import { expect, test } from 'vitest'
import { looseJson } from './loose-json.ts'

test('strict JSON is read as JSON.parse reads it', () => {
  const values = [
    { a: [1, -2.5, 1e3, true, null, 'x\n"\\\u00e9'], b: {} },
    [],
    'text',
    { __proto__x: 1, 'a b': [[['deep']]] },
  ]
  for (const value of values) expect(looseJson(JSON.stringify(value))).toMatchObject({ value, cut: 'no' })
})

test('a key named __proto__ is a key and nothing more', () => {
  const read = looseJson('{"__proto__": {"polluted": true}}')
  expect(Object.keys(read?.value as object)).toEqual(['__proto__'])
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

test('it says where a value ended and whether it was cut', () => {
  expect(looseJson('{"a":1} tail')).toMatchObject({ end: 7, cut: 'no' })
  expect(looseJson('{"a": {"b": "c"}')).toMatchObject({ value: { a: { b: 'c' } }, cut: 'brackets' })
  for (const cut of ['{"a": "b', '{"a', '{"a":', '{"a": 12', '["x", 3.'])
    expect(looseJson(cut), cut).toMatchObject({ cut: 'value' })
})

test('prose is no value', () => {
  for (const prose of ['hello', '', '}', '{hello world}', '{"a" "b"}']) expect(looseJson(prose), prose).toBeUndefined()
})
