import { expect, test } from 'vitest'
import type { Picture } from '../../core/sight/picture.ts'
import type { Frame } from '../../core/video.ts'
import { decodeImage, encodeJpeg } from '../image.ts'
import { sheetLetterHeight, wordWidth, writeWord } from './letters.ts'
import { composeSheet, paintPicture } from './paint.ts'

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
  expect(wordWidth('12:34:56', 2)).toBeLessThan(256)
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

test('a picture is painted from the kept frames or from the file, to the same bytes each time', async () => {
  const asked: string[] = []
  const source = {
    still: async (time: number) => {
      asked.push(`still ${time}`)
      return encodeJpeg(plain(time, 640, 360))
    },
    frames: async (times: number[], width: number) => {
      asked.push(`file ${times} ${width}`)
      return times.map(time => plain(time, width, 90 + (time % 2)))
    },
  }
  const picture: Picture = {
    span: { start: 0, end: 100 },
    from: 'index',
    cells: [
      { times: [40], label: '0:40' },
      { times: [80], label: '1:20' },
    ],
    columns: 2,
    width: 160,
  }
  const made = await paintPicture(picture, source)
  expect(await paintPicture(picture, source)).toEqual(made)
  const sheet = await decodeImage(made)
  expect([sheet.width, sheet.height]).toEqual([322, 90 + sheetLetterHeight(1) + 2])
  expect([grey(sheet, 40, 40), grey(sheet, 240, 40)].map(level => Math.round(level / 10))).toEqual([4, 8])
  expect(asked.slice(0, 2)).toEqual(['still 40', 'still 80'])
  await paintPicture({ ...picture, from: 'file', cells: [{ times: [40, 41], label: '' }] }, source)
  expect(asked.at(-1)).toBe('file 40,41 160')
})
