import { describe, expect, test } from 'vitest'
import { safeJson, visibleFileName, visibleLine, visibleText } from './visible-text.ts'

const everything = Array.from({ length: 0x2100 }, (_, code) => String.fromCharCode(code)).join('')
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/

describe('text from outside', () => {
  test('keeps nothing that a terminal obeys, and nothing else is touched', () => {
    expect(visibleText(everything)).not.toMatch(obeyed)
    const harmless = 'äöü 你好 🎬 e\u0301 שלום\n\tend'
    expect(visibleText(harmless)).toBe(harmless)
  })

  test('shows what it took away', () => {
    expect(visibleText('\u001b[31mred\u0007')).toBe('␛[31mred␇')
    expect(visibleText('a\u202Eb\u009b')).toBe('a\\u202eb\\u009b')
    expect(visibleText('\u007f')).toBe('␡')
  })

  test('no sign that a screen does not show gets through, also as text in pieces', () => {
    for (const sign of [
      '\u{e0041}',
      '\u200b',
      '\u2060',
      '\u3164',
      '\u00ad',
      '\ufff9',
      '\u200d',
      '\u{e0100}',
      '\ufeff',
    ]) {
      expect(visibleText(`a b ${sign}c`)).not.toContain(sign)
      expect(safeJson(`a b ${sign}c`)).not.toContain(sign)
      expect(JSON.parse(safeJson(`a b ${sign}c`))).toBe(`a b ${sign}c`)
    }
    expect(visibleText('a\u{e0041}')).toBe('a\\udb40\\udc41')
  })

  test('joiners and selectors that belong to a script or an emoji stay', () => {
    for (const word of [
      'می\u200cخواهم',
      'क\u094d\u200dष',
      '👩\u200d💻',
      '❤\ufe0f\u200d🔥',
      '1\ufe0f\u20e3',
      '葛\u{e0100}',
    ])
      expect(visibleText(word)).toBe(word)
  })

  test('on one line stays on one line', () => {
    expect(visibleLine('one  \r\n two\nthree\u2028four\rfive')).toBe('one two three four five')
    expect(visibleFileName('a\nhint: b\tc')).toBe('a␊hint: b␉c')
  })

  test('as JSON reads back the same', () => {
    const value = { text: everything, list: [1, null, 'x'] }
    expect(safeJson(value)).not.toMatch(obeyed)
    expect(JSON.parse(safeJson(value, 2))).toEqual(value)
  })
})
