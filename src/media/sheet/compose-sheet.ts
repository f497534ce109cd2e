import type { Frame } from '../../core/video.ts'
import { sheetLetterHeight, writeWord } from './letters.ts'

interface SheetCell {
  frames: readonly Frame[] // of one size, beside each other
  label: string // written below them, where it covers nothing
}

const gap = 2 // pixels between cells

// A contact sheet: cells in rows from left to right, each with its label, on black. One frame is a sheet of one cell.
export function composeSheet(cells: readonly SheetCell[], columns: number): Frame {
  const [first] = cells.flatMap(cell => cell.frames)
  if (!first) throw new RangeError('A sheet needs a frame.')
  const scale = Math.max(1, Math.round(first.width / 128))
  const bar = cells.some(cell => cell.label !== '') ? sheetLetterHeight(scale) + 2 * scale : 0
  const across = Math.max(...cells.map(cell => cell.frames.length))
  const cell = { width: first.width * across, height: first.height + bar }
  const shownColumns = Math.min(columns, cells.length)
  const rows = Math.ceil(cells.length / shownColumns)
  const width = shownColumns * (cell.width + gap) - gap
  const height = rows * (cell.height + gap) - gap
  const sheet: Frame = { time: first.time, width, height, rgb: new Uint8Array(width * height * 3) }
  for (const [at, { frames, label }] of cells.entries()) {
    const x = (at % shownColumns) * (cell.width + gap)
    const top = Math.floor(at / shownColumns) * (cell.height + gap)
    for (const [i, frame] of frames.entries()) pasteFrame(sheet, frame, x + i * first.width, top)
    writeWord(sheet, label, x + 2 * scale, top + first.height + scale, scale)
  }
  return sheet
}

function pasteFrame(sheet: Frame, frame: Frame, left: number, top: number): void {
  const wide = Math.min(frame.width, sheet.width - left)
  for (let y = 0; y < Math.min(frame.height, sheet.height - top); y++) {
    const from = y * frame.width * 3
    sheet.rgb.set(frame.rgb.subarray(from, from + wide * 3), ((top + y) * sheet.width + left) * 3)
  }
}
