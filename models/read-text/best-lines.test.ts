import { expect, test } from 'vitest'
import { bestLines } from './best-lines.ts'

const line = (text: string, y = 0.1, x = 0.1, confidence = 0.9) => ({
  text,
  confidence,
  box: { x, y, width: 0.2, height: 0.05 },
})
const texts = (...lines: ReturnType<typeof line>[]) => bestLines(lines).map(({ text }) => text)

test('lines come from top to bottom, and from left to right where they stand beside each other', () => {
  expect(texts(line('below', 0.5), line('right', 0.11, 0.6), line('left', 0.1))).toEqual(['left', 'right', 'below'])
})

test('of two readings of one place the surer and longer stays', () => {
  expect(texts(line('The train', 0.1, 0.1, 0.95), line('Tne tra', 0.11, 0.1, 0.7))).toEqual(['The train'])
})

test('marks, single letters and unsure short pieces are no text', () => {
  expect(texts(line('| _ ~'), line('a', 0.3), line('a b c d', 0.5), line('nd', 0.7, 0.1, 0.6))).toEqual([])
  expect(texts(line('01:02:33', 0.1), line('42', 0.3), line('Go', 0.5))).toEqual(['01:02:33', '42', 'Go'])
})

test('what is left of a frame around a sign goes, brackets that have their match stay', () => {
  expect(texts(line('(The train'), line('STATION SQUARE |', 0.3), line('(42) left', 0.5))).toEqual([
    'The train',
    'STATION SQUARE',
    '(42) left',
  ])
})
