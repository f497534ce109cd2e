import type { TextLine } from '../../src/core/services.ts'
import type { Frame } from '../../src/core/video.ts'
import { resizeFrame } from '../../src/media/image.ts'
import { bestLines } from './best-lines.ts'
import { findLines } from './find-lines.ts'
import { toGrey } from './grey-picture.ts'
import { lineSheet, type Sheet } from './line-sheet.ts'
import { portableGreymap, type TesseractPage, type TesseractWorkers } from './tesseract-workers.ts'

const minWidth = 1280 // pixels: narrower frames are enlarged to it, so that small letters have enough of them

// The lines of a frame that look like letters, read by Tesseract from one sheet.
export async function readFrame(pool: TesseractWorkers, frame: Frame): Promise<TextLine[]> {
  const foundLines = await findLines(toGrey(await enlarged(frame)))
  if (foundLines.length === 0) return []
  const sheet = lineSheet(foundLines)
  return bestLines(placeLines(await pool.recognize(portableGreymap(sheet)), sheet))
}

async function enlarged(frame: Frame): Promise<Frame> {
  return frame.width < minWidth
    ? resizeFrame(frame, minWidth, Math.round((frame.height * minWidth) / frame.width))
    : frame
}

// What was read in each row of the sheet, back at its place in the picture.
function placeLines(page: TesseractPage, { rows }: Sheet): TextLine[] {
  const read = (page.blocks ?? []).flatMap(block => block.paragraphs.flatMap(paragraph => paragraph.lines))
  return rows.flatMap(({ found, top, bottom }) => {
    const pieces = read
      .filter(({ bbox }) => (bbox.y0 + bbox.y1) / 2 >= top && (bbox.y0 + bbox.y1) / 2 < bottom)
      .sort((a, b) => a.bbox.x0 - b.bbox.x0)
    const text = pieces
      .map(piece => piece.text.trim())
      .join(' ')
      .replaceAll(/\s+/g, ' ')
    if (text === '') return []
    const sure = pieces.reduce((sum, piece) => sum + piece.confidence * piece.text.length, 0)
    const length = pieces.reduce((sum, piece) => sum + piece.text.length, 0)
    return [{ text, confidence: sure / length / 100, box: found.box }]
  })
}
