import { expect, test } from 'vitest'
import { sphinxWords } from './pocketsphinx.ts'
import { speechLines } from './speech-lines.ts'

const words = (starts: number[], length = 0.4) =>
  starts.map((start, i) => ({ text: `w${i}`, start, end: start + length, confidence: 0.5 }))

test('a pause of more than 0.6 s ends a line', () => {
  const lines = speechLines(words([0, 0.5, 1.0, 2.1, 2.6]))
  expect(lines.map(line => line.text)).toEqual(['w0 w1 w2', 'w3 w4'])
  expect(lines[1]!.span).toEqual({ start: 2.1, end: 3 })
})

test('a line of more than 12 s is parted at its longest pause, and no word is lost', () => {
  const even = Array.from({ length: 40 }, (_, i) => i * 0.5)
  const late = [...even, ...even.map(start => start + 20.3)]
  const lines = speechLines(words(late))
  expect(lines.every(line => line.span.end - line.span.start <= 12)).toBe(true)
  expect(lines.map(line => line.text).join(' ')).toBe(late.map((_, i) => `w${i}`).join(' '))
  expect(lines.some(line => line.span.start === 20.3)).toBe(true)
})

test('words without a confidence make a line without one', () => {
  const [line] = speechLines([{ text: 'yes', start: 1, end: 1.2 }])
  expect(line).not.toHaveProperty('confidence')
})

test('of what the recogniser prints, only words are kept, without the number of their pronunciation', () => {
  const output = `the river
<s> 0.100 0.150 1.000000
the(2) 0.160 0.270 0.530002
<sil> 0.280 0.300 0.900000
river 0.310 0.650 1.000100
[NOISE] 0.660 0.700 0.700000
</s> 0.710 0.800 1.000000
`
  expect(sphinxWords(output)).toEqual([
    { text: 'the', start: 0.16, end: 0.27, confidence: 0.530002 },
    { text: 'river', start: 0.31, end: 0.65, confidence: 1 },
  ])
})
