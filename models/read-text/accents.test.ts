import { expect, test } from 'vitest'
import { never } from '../../tests/servers/host.ts'
import { installedLanguages, openAccentReader, withAccents } from './accents.ts'

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

test('all lines of a call are read in one language after another, by a worker that is closed even if it breaks', async () => {
  const events: string[] = []
  const open = async () => {
    let chosen = ''
    return {
      async choose(language: string) {
        chosen = language
      },
      async recognize() {
        events.push(chosen)
        if (chosen === 'deu') throw new Error('broken')
        const words = sure(chosen === 'por' ? 'João' : 'Joäo')
        return { blocks: [{ paragraphs: [{ lines: [{ words }] }] }] } as never
      },
      close: async () => void events.push('closed'),
    }
  }
  const picture = { time: 0, width: 60, height: 20, rgb: new Uint8Array(3600) }
  const lines = ['Joao', '12:30', 'Joao'].map(text => ({ text, picture }))
  expect(await openAccentReader(['por', 'nor'], open).restore(lines, never)).toEqual(['João', '12:30', 'João'])
  expect(events).toEqual(['por', 'por', 'nor', 'nor', 'closed'])
  await expect(openAccentReader(['spa', 'deu'], open).restore(lines, never)).rejects.toThrow('broken')
  expect(events.slice(5)).toEqual(['spa', 'spa', 'deu', 'closed'])
})
