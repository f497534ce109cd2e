import type { Box } from '../../src/core/evidence.ts'
import type { TextLine } from '../../src/core/services.ts'
import type { Frame } from '../../src/core/video.ts'
import { resizeFrame } from '../../src/media/image.ts'
import { sharedArea } from '../pictures/boxes.ts'
import { type Component, components } from '../prepare/components.ts'
import { bestLines } from './best-lines.ts'
import { type GreyPicture, halvePicture, toGrey } from './grey-picture.ts'
import { type LetterLine, letterLines, letterPixels, toLine } from './letter-lines.ts'
import { letterMask } from './letter-mask.ts'
import { lineInk, meanGrey } from './line-ink.ts'
import { type FoundLine, lineSheet, type Sheet } from './line-sheet.ts'
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

// The lines of text in a picture, light on dark and dark on light; large ones are found at half the size.
export async function findLines(picture: GreyPicture): Promise<FoundLine[]> {
  const lines = await linesAt(picture)
  await otherWork()
  const large = (await linesAt(halvePicture(picture))).filter(({ line }) => line.size > letterPixels.max / 2)
  return longest(withoutOverlaps([...lines, ...large])).map(({ patches, ...found }) => ({
    ...found,
    parts: findParts(found.line, patches, found.picture),
  }))
}

const texture = 12_000 // patches in one picture: sand, rain, noise. Some always stand in a short line
const minInTexture = 10 // letters of a line

interface Candidate extends Omit<FoundLine, 'parts'> {
  patches: readonly Component[]
}

async function linesAt(picture: GreyPicture): Promise<Candidate[]> {
  const mask = letterMask(picture)
  const candidates: Candidate[] = []
  for (const value of [1, 2]) {
    await otherWork()
    const patches = components(mask, picture.width, picture.height, value)
    const minLetters = patches.length > texture ? minInTexture : 0
    for (const line of letterLines(patches).flatMap(line => ofOneColour(line, picture)))
      if (line.letters.length >= minLetters)
        candidates.push({ line, patches, box: toBox(line, picture), picture, brighter: value === 1 })
  }
  return candidates
}

const minContrast = 18 // of 255
const maxSpread = { short: 0.5, usual: 0.75, long: 0.95 } // the soft edges of small letters count for much of them

// The letters of a line are of one colour; patches of grass or water are not. A patch of another colour is not a letter.
function ofOneColour(line: LetterLine, picture: GreyPicture): LetterLine[] {
  const { ink, ground, around, letters, spread } = lineInk(line, picture)
  const contrast = Math.abs(ink - ground)
  if (Math.abs(ink - around) < contrast * 0.25) return [] // the ground seen between letters
  const same = line.letters.filter((_, i) => Math.abs(letters[i]! - ink) <= contrast * (0.25 + spread * 0.4))
  const count = line.letters.length
  const length = count < 4 ? 'short' : count < 8 ? 'usual' : 'long'
  if (contrast < minContrast * (length === 'short' ? 2 : 1) || spread > maxSpread[length]) return []
  if (same.length === line.letters.length) return [line]
  return same.length < line.letters.length * 0.7 ? [] : toLine(same)
}

// The letters, and dots, commas and strokes that stand among them.
function findParts(line: LetterLine, patches: readonly Component[], picture: GreyPicture): Component[] {
  const { letters, left, right, top, bottom, size } = line
  const { ink, ground, spread } = lineInk(line, picture)
  const beside = size * 0.5
  const marks = patches.filter(patch => {
    const middle = (patch.top + patch.bottom) / 2
    const inside = patch.left >= left - beside && patch.right <= right + beside
    const small = patch.bottom - patch.top < size && patch.right - patch.left < size * 1.5
    if (!inside || !small || middle <= top - size * 0.2 || middle >= bottom + size * 0.2 || patch.area < 2) return false
    const like = patch.area < 12 ? 0.6 : 0.25 + spread * 0.4 // a dot is mostly edge
    return Math.abs(meanGrey(patch, picture) - ink) <= Math.abs(ink - ground) * like
  })
  return [...new Set([...letters, ...marks])]
}

function toBox({ left, top, right, bottom }: LetterLine, { width, height }: GreyPicture): Box {
  return { x: left / width, y: top / height, width: (right - left) / width, height: (bottom - top) / height }
}

// The holes in letters form a line as well, and so do outlines around letters of the other kind. Of two such lines one with far
// fewer letters is dropped; where both may be the letters, both are read.
function withoutOverlaps(lines: Candidate[]): Candidate[] {
  const separateLines: Candidate[] = []
  for (const candidate of [...lines].sort((a, b) => b.line.letters.length - a.line.letters.length)) {
    const area = Math.max(1e-9, candidate.box.width * candidate.box.height)
    const over = separateLines.find(other => sharedArea(candidate.box, other.box) / area > 0.5)
    if (!over || candidate.line.letters.length > over.line.letters.length * 0.6) separateLines.push(candidate)
  }
  return separateLines
}

const maxLines = { short: 12, long: 60 } // of one picture

// Long lines, of which a page may have many, and a few of the short ones, most of which are not text.
function longest(lines: Candidate[]): Candidate[] {
  const long = lines.filter(({ line }) => line.letters.length > 4)
  const short = lines.filter(({ line }) => line.letters.length <= 4)
  return [...long.slice(0, maxLines.long), ...short.slice(0, maxLines.short)]
}

function otherWork(): Promise<void> {
  return new Promise(setImmediate)
}
