import { describe, expect, test } from 'vitest'
import { parsePlainJson, parsePythonJson } from './json.ts'
import { parseLiteral } from './literal.ts'
import { pythonNumbers, pythonWords, standingAlone, strip } from './text.ts'
import { floatText, isTrue, pythonText } from './value.ts'

const dict = (entries: Record<string, unknown>) => new Map(Object.entries(entries))

describe('JSON as Python reads it', () => {
  test('2 and 2.0 stay apart, and are written as they came', () => {
    expect(parsePythonJson('[2, 2.0, 1e3]')).toEqual([2n, 2, 1000])
    expect(['2', '2.0', 'true', 'null', '"2"', '-1', '0.5'].map(text => pythonText(parsePythonJson(text)))).toEqual([
      '2',
      '2.0',
      'True',
      'None',
      '2',
      '-1',
      '0.5',
    ])
  })

  test('NaN and Infinity are numbers; trailing commas, bare words and raw line ends are not JSON', () => {
    expect(parsePythonJson('{"a": NaN, "b": -Infinity}')).toEqual(dict({ a: Number.NaN, b: Number.NEGATIVE_INFINITY }))
    for (const text of ['{"a": 1,}', '[1,]', '{a: 1}', "{'a': 1}", '"a\nb"', '01', '1.', '', '[1] 2', '"\\x"'])
      expect(() => parsePythonJson(text), text).toThrow(SyntaxError)
  })

  test('the last of two equal keys counts', () => {
    expect(parsePythonJson('{"a": 1, "a": 2}')).toEqual(dict({ a: 2n }))
  })

  test('it agrees with JSON.parse on ordinary JSON', () => {
    const text = '{"a": [1, -2.5e-3, "\\u00e9\\n\\"", true, null, {}], "b": {"c": []}}'
    expect(parsePlainJson(text)).toEqual(JSON.parse(text))
    expect(parsePlainJson(` ${text.replace('true', 'NaN')}\n`)).toMatchObject({ b: { c: [] } })
  })
})

describe('Python literals', () => {
  test('both kinds of quotes, trailing commas, comments and tuples', () => {
    expect(parseLiteral(`{'a': "x", "b": ('y', 1,), 'c': [1, 2,], # note\n }`)).toEqual(
      dict({ a: 'x', b: ['y', 1n], c: [1n, 2n] }),
    )
    expect(parseLiteral("['a' 'b', \"it's\", 'it\\'s', '\\u00e9', r'\\n']")).toEqual(['ab', "it's", "it's", 'é', '\\n'])
  })

  test('numbers in all their forms', () => {
    expect(parseLiteral('[7, -7, +7, 0x1F, 1_000, 7.0, 1e2, .5, 00]')).toEqual([
      7n,
      -7n,
      7n,
      31n,
      1000n,
      7,
      100,
      0.5,
      0n,
    ])
    for (const text of ['007', '1__0', '7L', '0x', '1_']) expect(() => parseLiteral(text), text).toThrow(SyntaxError)
  })

  test('True and None are literals, true and null are not', () => {
    expect(parseLiteral('[True, False, None]')).toEqual([true, false, null])
    for (const text of [
      'true',
      '{"a": null}',
      'not json',
      '',
      '```\n{}\n```',
      'f()',
      '{**a}',
      "'open",
      '{"a" 1}',
      '[1',
    ])
      expect(() => parseLiteral(text), text).toThrow(SyntaxError)
  })

  test('sets, bytes, the ellipsis and a blank first line', () => {
    expect(parseLiteral('\n # note\n[{1, 2}, b"x", ..., "\\N{BULLET}"]')).toEqual([
      [1n, 2n],
      'x',
      'Ellipsis',
      '\\N{BULLET}',
    ])
  })

  test('a line may end inside brackets, not inside a plain string', () => {
    expect(parseLiteral('{"a":\n 1\n}\n')).toEqual(dict({ a: 1n }))
    expect(() => parseLiteral('{"a": "x\ny"}')).toThrow(SyntaxError)
    expect(parseLiteral('"""x\ny"""')).toBe('x\ny')
  })
})

describe('Python text', () => {
  test('floats are written as Python writes them', () => {
    expect([1, 2.5, 0.0001, 0.00001, 1e15, 1e16, 1.5e300, -0, Number.NaN].map(floatText)).toEqual([
      '1.0',
      '2.5',
      '0.0001',
      '1e-05',
      '1000000000000000.0',
      '1e+16',
      '1.5e+300',
      '-0.0',
      'nan',
    ])
  })

  test('blanks are Python blanks', () => {
    expect(strip('\u00a0 a b\x1c\x85')).toBe('a b')
    expect(strip('\ufeffa')).toBe('\ufeffa')
    expect(pythonWords(' a\u3000b\n\nc ')).toEqual(['a', 'b', 'c'])
  })

  test('a letter inside a word of any script does not stand alone', () => {
    const found = (text: string) => text.match(standingAlone('A-H'))
    expect(found('答案是E')).toBeNull()
    expect(found('答案是 E。')).toEqual(['E'])
    expect(found('_B_ AB éA (C)')).toEqual(['C'])
  })

  test('numerals of other scripts are numbers too', () => {
    expect(pythonNumbers('１２ to ٣.5, 12-18 and 7.')).toEqual([12, 3.5, 12, -18, 7])
  })

  test('emptiness is falsehood', () => {
    expect(['', '0', [], [0n], 0n, 0, Number.NaN, null, false, 'false'].map(isTrue)).toEqual([
      false,
      true,
      false,
      true,
      false,
      false,
      true,
      false,
      false,
      true,
    ])
  })
})
