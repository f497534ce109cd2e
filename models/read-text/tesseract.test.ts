import { afterAll, expect, test } from 'vitest'
import { host } from '../../tests/contracts/backends.ts'
import { textFrame } from '../../tests/contracts/pictures.ts'
import { textReaders } from './index.ts'

const reader = await textReaders.open('tesseract', { workers: 1 }, host)
afterAll(() => reader.close?.())

const read = async (source: string, text: string, size: number, colour: string) => {
  const frame = await textFrame(source, [{ text, size, x: 60, y: 240, colour }])
  const [lines] = await reader.read([frame], host.signal)
  return lines!.map(line => line.text)
}

test.each([
  ['white on black', 'color=black', 36, 'white'],
  ['small and light on dark grey', 'color=0x303030', 14, '0xd0d0d0'],
  ['light grey on grey', 'color=0x808080', 30, '0xa0a0a0'],
  ['on a slope of colours', 'gradients=seed=9:n=3:c0=0x203060:c1=0x903020:c2=0x207040', 32, 'white'],
])('letters %s are read without a fault', async (_, source, size, colour) => {
  expect(await read(source, 'order number 48213 is late', size, colour)).toEqual(['order number 48213 is late'])
})

test('a language whose data is not installed is refused with the command that brings it', async () => {
  await expect(textReaders.open('tesseract', { language: 'xyz' }, host)).rejects.toMatchObject({
    message: expect.stringContaining('language data "xyz"'),
    hint: 'npm install @tesseract.js-data/xyz',
  })
})
