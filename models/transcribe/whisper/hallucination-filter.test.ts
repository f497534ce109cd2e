import { expect, test } from 'vitest'
import { compressionRatio, isDoubtful, isLoop, isSilence, withoutHallucinations } from './hallucination-filter.ts'
import type { HeardLine } from './segments.ts'

function line(text: string, start: number, end: number): HeardLine {
  const words = text.split(' ').map(word => ({ text: ` ${word}`, start, end, confidence: 0.9 }))
  return { words, start, end, probability: 0.9, timed: false }
}
const read = ({ words }: HeardLine) => words.map(word => word.text.trim()).join(' ')

test('text that goes in circles is a loop, plain text and short text are not', () => {
  expect(compressionRatio('thank you '.repeat(30))).toBeGreaterThan(2.4)
  expect(isLoop('thank you '.repeat(30))).toBe(true)
  expect(isLoop('The price of bread has doubled since last summer.')).toBe(false)
  expect(isLoop('No no no.')).toBe(false)
  expect(isDoubtful({ probability: 0.2 })).toBe(true)
})

test('it is silence only where the words are unsure too', () => {
  expect(isSilence({ noSpeech: 0.9, probability: 0.2 })).toBe(true)
  expect(isSilence({ noSpeech: 0.9, probability: 0.8 })).toBe(false)
  expect(isSilence({ noSpeech: 0.1, probability: 0.2 })).toBe(false)
})

test('a line that lies where nobody speaks is dropped', () => {
  const lines = [line('hello there', 1, 3), line('thanks for watching', 6, 9)]
  expect(withoutHallucinations(lines, [{ start: 0.5, end: 3.5 }]).map(read)).toEqual(['hello there'])
})

test('a line that goes in circles keeps two rounds and what follows', () => {
  const speech = [{ start: 0, end: 10 }]
  const loop = (text: string) => withoutHallucinations([line(text, 1, 9)], speech).map(read)[0]
  expect(loop('so I went I went I went I went I went home')).toBe('so I went I went home')
  expect(loop('no no no')).toBe('no no no')
  expect(loop('no no no no no no no')).toBe('no no')
  expect(loop(`${'we are here now, '.repeat(9)}`.trim())).toBe('we are here now, we are here now,')
})
