import type { Frame } from '../../src/core/video.ts'
import { resizeFrame } from '../../src/media/image.ts'
import { toGrey } from './grey-picture.ts'
import { portableGreymap, type TesseractPage } from './tesseract-workers.ts'

const height = 48 // pixels of a line that Tesseract reads

// The picture of a line as Tesseract takes it.
export async function linePicture(picture: Frame): Promise<Uint8Array> {
  const width = Math.max(1, Math.round((picture.width * height) / picture.height))
  return portableGreymap(toGrey(await resizeFrame(picture, width, height)))
}

// A word that Tesseract reads in a line.
export interface LineWord {
  text: string
  confidence: number // 0 to 100
}

export function listWords(page: TesseractPage): LineWord[] {
  const lines = (page.blocks ?? []).flatMap(block => block.paragraphs.flatMap(paragraph => paragraph.lines))
  return lines.flatMap(line => line.words.map(({ text, confidence }) => ({ text, confidence })))
}
