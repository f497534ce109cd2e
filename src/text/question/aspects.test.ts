import { describe, expect, test } from 'vitest'
import { splitAspects } from './aspects.ts'

describe('the parts of a question', () => {
  test.each([
    ['Who built the ship and when was it opened?', ['Who built the ship?', 'when was it opened?']],
    ['What is the password? How much is a ticket?', ['What is the password?', 'How much is a ticket?']],
    ['What is said about whales, and where do they sing?', ['What is said about whales?', 'where do they sing?']],
    ['What do Anna and Tom talk about?', ['What do Anna and Tom talk about?']],
    ['What is the difference between salt and sugar?', ['What is the difference between salt and sugar?']],
    [
      'When the alarm rings and the lights go out, what happens?',
      ['When the alarm rings and the lights go out, what happens?'],
    ],
  ])('%s', (text, parts) => {
    expect(splitAspects({ text })).toEqual(parts)
  })

  test('with options it asks one thing', () => {
    expect(splitAspects({ text: 'Who came and what did he say?', options: ['a', 'b'] })).toHaveLength(1)
  })
})

test('a question of many spaces is split in time that grows with its length', () => {
  const begun = performance.now()
  expect(splitAspects({ text: `What is shown${' '.repeat(200_000)}there?` })).toHaveLength(1)
  expect(performance.now() - begun).toBeLessThan(10_000) // it took 42 s when each space was a beginning
})
