import { expect, test } from 'vitest'
import { withNarrowLetters } from './small-print.ts'

const sure = (...texts: string[]) => texts.map(text => ({ text, confidence: 90 }))

test('a word takes the narrow letters of a sure reading that agrees in all wide ones', () => {
  const readings = sure('Institute', 'Climate', 'Science', 'Universitat', 'Bern', 'Teuling,')
  expect(withNarrowLetters('Institute Clmate Sclence Universitat Bem Teuling.', readings)).toBe(
    'Institute Climate Science Universitat Bern Teuling,',
  )
})

test('readings that are unsure, differ in a wide letter or have digits change nothing', () => {
  const readings = [{ text: 'Climate', confidence: 70 }, ...sure('Koster', 'l100', 'NASAIGSFC', 'it')]
  expect(withNarrowLetters('Clmate Kester 1100 NASA/GSFC if', readings)).toBe('Clmate Kester 1100 NASA/GSFC if')
})
