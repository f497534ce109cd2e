import { expect, test } from 'vitest'
import { installedLanguages, withAccents } from './accents.ts'

const sure = (...texts: string[]) => texts.map(text => ({ text, confidence: 90 }))

test('a word takes the accents of the surest reading that agrees in all other letters', () => {
  expect(withAccents('JOAO MENDES', sure('JOÃO', 'MENDES'))).toBe('JOÃO MENDES')
  const readings = [
    { text: 'Joäo', confidence: 83 },
    { text: 'João', confidence: 93 },
    { text: 'Joao', confidence: 80 },
  ]
  expect(withAccents('Joao', readings)).toBe('João')
})

test('a letter that was taken for another one or left out because of its accent comes back', () => {
  expect(withAccents('Malm? Zo StraBe', sure('Malmö', 'Zoë', 'Straße'))).toBe('Malmö Zoë Straße')
})

test('readings that differ in more than accents, are unsure or are mostly accents change nothing', () => {
  expect(withAccents('Porto Cost', sure('Pörta', 'öäß'))).toBe('Porto Cost')
  expect(withAccents('Cost (a)', [{ text: 'Cöst', confidence: 40 }, ...sure('(á]')])).toBe('Cost (a)')
})

test('English alone, which the install brings, asks nobody for accents', async () => {
  expect(await installedLanguages()).not.toContain('eng')
})
