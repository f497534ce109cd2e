import { expect, test } from 'vitest'
import type { Frame } from '../../core/video.ts'
import { composeSheet } from './compose-sheet.ts'
import { sheetLetterHeight, writeWord } from './letters.ts'

const plain = (grey: number, width = 128, height = 72, time = grey): Frame => ({
  time,
  width,
  height,
  rgb: new Uint8Array(width * height * 3).fill(grey),
})
const grey = ({ rgb, width }: Frame, x: number, y: number) => rgb[(y * width + x) * 3]!

// What is written there, read back from the dots of the letters.
function readWord(frame: Frame, left: number, top: number, scale: number, length: number): string {
  const dots = (at: number) =>
    Array.from({ length: 35 }, (_, i) =>
      grey(frame, left + (at * 6 + (i % 5)) * scale, top + Math.floor(i / 5) * scale) > 128 ? '#' : '.',
    ).join('')
  const known = new Map(
    [...'0123456789:.-# '].map(sign => {
      const page = plain(0, 8, 8)
      writeWord(page, sign, 0, 0, 1)
      return [Array.from({ length: 35 }, (_, i) => (grey(page, i % 5, Math.floor(i / 5)) ? '#' : '.')).join(''), sign]
    }),
  )
  return Array.from({ length }, (_, at) => known.get(dots(at)) ?? '?').join('')
}

test('cells lie in rows, from left to right, apart, and unused ones are black', () => {
  const cells = [60, 120, 180].map(level => ({ frames: [plain(level)], label: '0:00' }))
  const sheet = composeSheet(cells, 2)
  const bar = sheetLetterHeight(1) + 2
  expect([sheet.width, sheet.height]).toEqual([2 * 128 + 2, 2 * (72 + bar) + 2])
  expect([grey(sheet, 0, 0), grey(sheet, 127, 71), grey(sheet, 128, 10), grey(sheet, 130, 0)]).toEqual([60, 60, 0, 120])
  expect([grey(sheet, 0, 72 + bar + 2), grey(sheet, 130, 72 + bar + 2)]).toEqual([180, 0])
})

test('each time can be read below its frame, and covers nothing of it', () => {
  const sheet = composeSheet(
    ['0:07', '1:02:35'].map(label => ({ frames: [plain(90, 256, 144)], label })),
    2,
  )
  expect(readWord(sheet, 4, 144 + 2, 2, 4)).toBe('0:07')
  expect(readWord(sheet, 258 + 4, 144 + 2, 2, 7)).toBe('1:02:35')
  expect(Array.from({ length: 256 }, (_, x) => grey(sheet, x, 143))).toEqual(Array(256).fill(90))
})

test('a strip puts the frames of a cell beside each other', () => {
  const sheet = composeSheet([{ frames: [plain(50), plain(100), plain(150)], label: '#1 0:02' }], 3)
  expect([sheet.width, grey(sheet, 10, 5), grey(sheet, 138, 5), grey(sheet, 266, 5)]).toEqual([384, 50, 100, 150])
  expect(readWord(sheet, 2, 73, 1, 7)).toBe('#1 0:02')
})

test('signs that cannot be written leave their place empty, and nothing is written outside', () => {
  const page = plain(0, 12, 8)
  writeWord(page, 'é8', 0, 0, 1)
  expect(readWord(page, 0, 0, 1, 1)).toBe(' ')
  writeWord(page, '88888', 10, 6, 3)
  expect(page.rgb).toHaveLength(12 * 8 * 3)
})
