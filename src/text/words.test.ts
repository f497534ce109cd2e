import { describe, expect, test } from 'vitest'
import { stamp } from '../core/evidence.ts'
import { distinctRows, findOccurrences, textOverlap } from './occurrences.ts'
import { coverage, findPhrase, phoneticCode, wordSimilarity } from './word-similarity.ts'
import { stem, tokens } from './words.ts'

const words = (text: string) => tokens(text).map(token => token.text)
const like = (a: string, b: string) => wordSimilarity(tokens(a)[0]!, tokens(b)[0]!)

describe('numbers in words', () => {
  test.each([
    ['two hundred and four', '204'],
    ['two oh four', '204'],
    ['nineteen eighty four', '1984'],
    ['twenty five thousand', '25000'],
    ['fourteen hundred and ninety two', '1492'],
    ['1,250', '1250'],
    ['three hundred sixty five', '365'],
  ])('%s is %s', (text, number) => {
    expect(words(text)).toEqual([number])
  })

  test('somebody who counts up says single numbers', () => {
    expect(words('one two three four')).toEqual(['1', '2', '3', '4'])
  })

  test('signs become words', () => {
    expect(words('$3.50 or 50%')).toEqual(['3.50', 'dollars', 'or', '50', 'percent'])
  })

  test('a word that JavaScript knows is a word like others', () => {
    expect(words('the constructor of toString')).toEqual(['the', 'constructor', 'of', 'tostring'])
  })

  test('each word knows where it stood', () => {
    const text = 'It costs $12, not twenty two.'
    expect(tokens(text).map(token => text.slice(token.start, token.end))).toEqual([
      'It',
      'costs',
      '12',
      '12',
      'not',
      'twenty two',
    ])
  })
})

describe('words of any script', () => {
  test.each([
    ['हिन्दी भाषा', ['हिन्दी', 'भाषा']],
    ['การประชุมสำคัญ', ['การ', 'ประชุม', 'สำคัญ'.normalize('NFKC')]],
    ['北京大学很大', ['北京', '大学', '很大']],
    ['3.5米Windows用户', ['3.5', '米', 'windows', '用户']],
    ['nai\u0308ve cafe\u0301', ['naïve', 'café']],
    ['İSTANBUL ıssız', ['istanbul', 'issiz']],
    ['ΟΔΟΣ', ['οδοσ']],
    ['col·legi', ['collegi']],
  ])('%s', (text, expected) => {
    expect(words(text)).toEqual(expected)
  })

  test('know where they stood, also where they were written otherwise', () => {
    const text = '参观北京, cafe\u0301 ١٢٪'
    const places = tokens(text).map(token => text.slice(token.start, token.end))
    expect(places).toEqual(['参观', '北京', 'cafe\u0301', '١٢', '١٢'])
  })
})

describe('words that are the same', () => {
  test.each([
    ['visited', 'visitors'],
    ['opening', 'opens'],
    ['children', 'child'],
    ['went', 'go'],
    ['stories', 'story'],
    ['stopped', 'stop'],
  ])('%s and %s share a stem', (a, b) => {
    expect(stem(a)).toBe(stem(b))
  })

  test.each([
    ['Eliza', 'Elisa'],
    ['nurnber', 'number'],
    ['museurn', 'museum'],
    ['lighthouse', 'lighthuose'],
    ['2O4', '204'],
    ['exploded', 'explosion'],
    ['pompeii', 'pompey'],
  ])('%s and %s are alike', (a, b) => {
    expect(like(a, b)).toBeGreaterThanOrEqual(0.6)
  })

  test.each([
    ['204', '205'],
    ['light', 'night'],
    ['whale', 'will'],
    ['cat', 'car'],
    ['three', 'there'],
    ['paris', 'parts'],
  ])('%s and %s are not', (a, b) => {
    expect(like(a, b)).toBeLessThan(0.6)
  })

  test('the sound of a word forgives spelling', () => {
    expect(phoneticCode('knight')).toBe(phoneticCode('night'))
    expect(phoneticCode('phone')).toBe(phoneticCode('fone'))
  })
})

describe('finding words in a line', () => {
  test('a phrase is found though letters are wrong', () => {
    expect(findPhrase(tokens('room number 204'), tokens('this is roorn nurnber 204 please'))).toEqual([
      { from: 2, to: 4 },
    ])
  })

  test('a phrase with another number is not found', () => {
    expect(findPhrase(tokens('room 204'), tokens('this is room 205'))).toEqual([])
  })

  test('a word that was torn in two is found', () => {
    expect(coverage(tokens('lighthouse'), 'the old light house')).toBeGreaterThan(0.8)
  })
})

describe('occurrences', () => {
  const row = (track: 'speech' | 'text', start: number, end: number, text: string) =>
    stamp({ track, span: { start, end }, text }, 'v', 'by/hand')

  test('a word repeated within a spoken line counts each time', () => {
    expect(findOccurrences('falcon', [row('speech', 0, 5, 'falcon, falcon, where is the falcon')])).toHaveLength(3)
  })

  test('a text that stays on screen counts once, though it was read three times and not the same', () => {
    const rows = [
      row('text', 0, 5, 'Room number 204'),
      row('text', 5, 9, 'Roorn nurnber 204'),
      row('text', 10, 12, 'Room number 204'),
    ]
    expect(findOccurrences('room number 204', rows)).toHaveLength(1)
    expect(distinctRows(rows)[0]!.span).toEqual({ start: 0, end: 12 })
  })

  test('a text that comes back later counts again', () => {
    expect(findOccurrences('exit', [row('text', 0, 5, 'EXIT'), row('text', 60, 65, 'EXIT')])).toHaveLength(2)
  })

  test('a spoken word has its own time where the recogniser gave one', () => {
    const line = {
      ...row('speech', 0, 4, 'we saw a falcon today'),
      words: ['we', 'saw', 'a', 'falcon', 'today'].map((text, i) => ({ text, start: i, end: i + 0.5 })),
    }
    expect(findOccurrences('falcon', [line])[0]!.span).toEqual({ start: 3, end: 3.5 })
  })

  test('texts of different content are not the same', () => {
    expect(textOverlap('Tickets Adults 12', 'The Lighthouse')).toBeLessThan(0.5)
  })
})
