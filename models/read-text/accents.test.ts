import { expect, test } from 'vitest'
import { never } from '../../tests/servers/host.ts'
import { installedLanguages, openAccentReader, withAccents } from './accents.ts'
import { readInLanguage } from './read-in-language.ts'
import { portableGreymap } from './tesseract-workers.ts'

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

test('all lines of a call that may have accents are read in one language after another', async () => {
  const events: string[] = []
  const read = async (language: string, pictures: readonly Uint8Array[]) => {
    events.push(`${language} ${pictures.length}`)
    if (language === 'deu') throw new Error('broken')
    return pictures.map(() => sure(language === 'por' ? 'João' : 'Joäo'))
  }
  const picture = { time: 0, width: 60, height: 20, rgb: new Uint8Array(3600) }
  const lines = ['Joao', '12:30', 'Joao'].map(text => ({ text, picture }))
  expect(await openAccentReader(['por', 'nor'], read).restore(lines, never)).toEqual(['João', '12:30', 'João'])
  expect(events).toEqual(['por 2', 'nor 2'])
  await expect(openAccentReader(['spa', 'deu'], read).restore(lines, never)).rejects.toThrow('broken')
})

test('a process of its own reads lines in a language that is installed, and names one that is not', async () => {
  const line = portableGreymap({ width: 320, height: 48, grey: new Uint8Array(320 * 48).fill(255) })
  expect(await readInLanguage('eng', [line, line], never)).toHaveLength(2)
  await expect(readInLanguage('xyz', [line], never)).rejects.toThrow('no language data "xyz"')
})
