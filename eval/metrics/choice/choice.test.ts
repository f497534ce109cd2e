import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../src/core/basics/numbers.ts'
import { oracle, withOracle } from '../../../tests/support/oracle.ts'
import { letterAfterPrefixes, longVideoBenchPrefixes, videoMmePrefixes } from './after-prefixes.ts'
import { closestOption, optionByText } from './options.ts'
import { readReplyChoice } from './read-choice.ts'

interface Parsers {
  cases: (Record<string, string | false> & { id: string; reply: string })[]
}

withOracle('mcq-parsers/outputs.json')('what the known extractors make of each reply', () => {
  const { cases } = oracle<Parsers>('mcq-parsers/outputs.json')
  const extractors: Record<string, (reply: string) => string | false> = {
    'vlmeval_videomme_extract_characters_regex_A-D': reply =>
      letterAfterPrefixes(reply, [...videoMmePrefixes, 'Answer:', 'Option:'], 'A-D'),
    // The harness draws at random where it finds nothing; here nothing stays nothing.
    lmms_longvideobench_parse: reply => letterAfterPrefixes(reply, longVideoBenchPrefixes, 'A-E') || '<random>',
  }
  for (const [name, extract] of Object.entries(extractors))
    test(name, () => expect(cases.map(({ reply }) => extract(reply))).toEqual(cases.map(item => item[name])))
})

describe('reading a choice', () => {
  const texts = ['light gray', 'pale blue', 'gray', 'silver', 'white']
  const read = (reply: string | null) => readReplyChoice(reply, { count: 5, texts })

  test('every usual way to write a letter is read, and the rule is named', () => {
    const written: [string, string][] = [
      ['B', 'label'],
      ['b', 'label'],
      ['(B)', 'label'],
      ['**B**', 'label'],
      ['Option B', 'label'],
      ['B.', 'label'],
      ['B\n\nBecause A is wrong', 'label'],
      ['B. pale blue', 'leading'],
      ['b) pale blue', 'leading'],
      ['The answer is (B).', 'declared'],
      ['the answer is b', 'declared'],
      ['**Answer:** B', 'declared'],
      ['Best Answer: [B]', 'declared'],
      ['Answer is B because A, C, D are wrong.', 'declared'],
      ['Looking at A, C and D, I choose B', 'declared'],
      ['B is right. Not A.', 'declared'],
      ['A man is seen; so the answer is B.', 'declared'],
      ['正解はBです', 'declared'],
      ['答案是B', 'declared'],
      ['Answer: A. No, wait: the answer is B', 'declared'],
      ['The answer is pale blue', 'declared'],
      ['```json\n{"result": "B"}\n```', 'json'],
      ['{"answer": "B. pale blue"}', 'json'],
      ['<answer>B</answer>', 'tagged'],
      ['So \\boxed{\\text{B}}', 'tagged'],
      ['<think>A or C?</think>\nB', 'label'],
      ['The vehicle is pale blue.', 'text'],
      ['It must be (B) in the end', 'mentioned'],
      ['I think it is B', 'token'],
    ]
    for (const [reply, rule] of written) expect(read(reply), reply).toEqual({ letter: 'B', rule })
  })

  test('no choice is made up where there is none', () => {
    expect(read(null)).toEqual({ rule: 'empty' })
    expect(read(' \n')).toEqual({ rule: 'empty' })
    for (const reply of ['I cannot determine the answer.', 'None of the above', 'Because Dogs bark', 'A man walks by'])
      expect(read(reply), reply).toEqual({ rule: 'none' })
    for (const reply of [
      'A or B',
      'Both A and B',
      'Best Answer: A or C',
      'A. light gray B. pale blue',
      '(A) (B)',
      'A\nB',
    ])
      expect(read(reply), reply).toEqual({ rule: 'ambiguous' })
    for (const reply of ['F', 'Best Answer: F', 'Z']) expect(read(reply), reply).toEqual({ rule: 'not offered' })
  })

  test('an option that holds another is meant whole', () => {
    expect(read('It is light gray').letter).toBe('A')
    expect(read('It is gray').letter).toBe('C')
    expect(optionByText('gray or white', texts, 'contained')).toBeUndefined()
  })

  test('an option that is itself a letter with words is not misread', () => {
    expect(readReplyChoice('Vitamin C', { count: 3, texts: ['Vitamin A', 'Vitamin C', 'Iron'] })).toEqual({
      letter: 'B',
      rule: 'text',
    })
  })

  test('any letter in any wrapping is read, and nothing outside the options ever is', () => {
    const random = seededRandom(31)
    const wrappings = [
      '%',
      '(%)',
      '%.',
      '**%**',
      'Answer: %',
      'The correct answer is %.',
      'Option %',
      '"%"',
      '<answer>%</answer>',
    ]
    for (let round = 0; round < 400; round++) {
      const count = 2 + Math.floor(random() * 7)
      const letter = String.fromCharCode(65 + Math.floor(random() * 12))
      const reply = wrappings[Math.floor(random() * wrappings.length)]!.replace('%', letter)
      const offered = letter.charCodeAt(0) - 65 < count
      const reading = readReplyChoice(reply, { count })
      if (offered) expect(reading.letter, reply).toBe(letter)
      else expect(reading.letter, reply).toBeUndefined()
    }
  })
})

test('Video-MME as released reads the B of "Best answer" as a choice', () => {
  expect(letterAfterPrefixes('Best answer: C', videoMmePrefixes, 'A-D')).toBe('B')
  expect(letterAfterPrefixes('Best answer: C', longVideoBenchPrefixes, 'A-D')).toBe('C')
})

test('the closest option shares most words; without any there is none', () => {
  const options = ['his trips to Las Vegas', 'his distrust of Nance', 'money']
  expect(closestOption('The trips to Las Vegas', options)).toMatchObject({ index: 0 })
  expect(closestOption('nothing of the kind', ['one thing', 'one more'])).toBeUndefined()
  expect(closestOption('red', ['red car', 'red bus'])).toBeUndefined()
})
