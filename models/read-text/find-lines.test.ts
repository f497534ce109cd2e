import { expect, test } from 'vitest'
import type { Frame } from '../../src/core/video.ts'
import { plainFrame, sourceFrame, textFrame } from '../../tests/contracts/pictures.ts'
import { toGrey } from './grey-picture.ts'
import { lineSheet } from './line-sheet.ts'
import { findLines } from './read-frame.ts'

const find = (frame: Frame) => findLines(toGrey(frame))

test('light letters on a dark bar and dark letters on white are both found, each line once', async () => {
  const frame = await textFrame('color=white,drawbox=w=960:h=120:color=0x1f3a8a:t=fill', [
    { text: 'A title on a bar', size: 44, x: 40, y: 36, colour: 'white' },
    { text: 'and a line below it', size: 32, x: 40, y: 200, colour: 'black' },
  ])
  const lines = (await find(frame)).sort((a, b) => a.box.y - b.box.y)
  expect(lines.map(line => line.brighter)).toEqual([true, false])
  expect(lines[0]!.box.y).toBeCloseTo(36 / 540, 1)
  expect(lines[1]!.box.y).toBeCloseTo(200 / 540, 1)
})

test('letters that differ from their ground by a tenth of the range are found', async () => {
  const frame = await textFrame('color=0x808080', [
    { text: 'Faint words on a wall', size: 32, x: 100, y: 200, colour: '0x9c9c9c' },
  ])
  expect(await find(frame)).toHaveLength(1)
})

test('letters as high as a fifth of the picture are found', async () => {
  const frame = await textFrame('color=black', [{ text: 'SALE', size: 150, x: 200, y: 150, colour: 'white' }])
  const lines = await find(frame)
  expect(lines.some(({ box }) => box.width > 0.3 && box.height > 0.15)).toBe(true)
})

test('two columns are two lines', async () => {
  const frame = await textFrame('color=white', [
    { text: 'Left side', size: 32, x: 60, y: 200, colour: 'black' },
    { text: 'Right side', size: 32, x: 560, y: 200, colour: 'black' },
  ])
  expect(await find(frame)).toHaveLength(2)
})

test('a plain picture has no lines, and a picture full of specks but a few, however many specks', async () => {
  expect(await find(plainFrame(90, 120, 60))).toEqual([])
  const specks = await sourceFrame('cellauto=rule=110:scroll=0', { width: 1280, height: 720 })
  expect((await find(specks)).length).toBeLessThanOrEqual(72)
})

test('the sheet shows every line black on white and of one size, whatever it was', async () => {
  const frame = await textFrame('color=0x204060', [
    { text: 'small light letters', size: 18, x: 60, y: 100, colour: '0xd0d0d0' },
    { text: 'larger dark ones', size: 60, x: 60, y: 300, colour: 'black' },
  ])
  const sheet = lineSheet(await find(frame))
  expect(sheet.rows).toHaveLength(2)
  const heights = sheet.rows.map(({ top, bottom }) => {
    const inked = Array.from({ length: bottom - top }, (_, y) => top + y).filter(y =>
      sheet.grey.subarray(y * sheet.width, (y + 1) * sheet.width).some(value => value < 100),
    )
    return inked.length
  })
  expect(Math.abs(heights[0]! - heights[1]!)).toBeLessThan(12)
  expect(sheet.grey[0]).toBe(255)
  const black = sheet.grey.filter(value => value < 30).length
  expect(black).toBeGreaterThan(500)
})
