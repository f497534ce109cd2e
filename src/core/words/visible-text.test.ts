import { describe, expect, test } from 'vitest'
import { fileName, oneLine, plain, safeJson } from './visible-text.ts'

const everything = Array.from({ length: 0x2100 }, (_, code) => String.fromCharCode(code)).join('')
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/

describe('text from outside', () => {
  test('keeps nothing that a terminal obeys, and nothing else is touched', () => {
    expect(plain(everything)).not.toMatch(obeyed)
    const harmless = 'äöü 你好 🎬 e\u0301 שלום\n\tend'
    expect(plain(harmless)).toBe(harmless)
  })

  test('shows what it took away', () => {
    expect(plain('\u001b[31mred\u0007')).toBe('␛[31mred␇')
    expect(plain('a\u202Eb\u009b')).toBe('a\\u202eb\\u009b')
    expect(plain('\u007f')).toBe('␡')
  })

  test('on one line stays on one line', () => {
    expect(oneLine('one  \r\n two\nthree\u2028four\rfive')).toBe('one two three four five')
    expect(fileName('a\nhint: b\tc')).toBe('a␊hint: b␉c')
  })

  test('as JSON reads back the same', () => {
    const value = { text: everything, list: [1, null, 'x'] }
    expect(safeJson(value)).not.toMatch(obeyed)
    expect(JSON.parse(safeJson(value, 2))).toEqual(value)
  })
})
