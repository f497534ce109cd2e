import { availableParallelism } from 'node:os'
import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import { fitting } from '../../src/core/memory-bound.ts'
import type { TextLine, TextReader } from '../../src/core/services.ts'
import type { Frame } from '../../src/core/video.ts'
import { resizeFrame } from '../../src/media/image.ts'
import { inOrder } from '../in-order.ts'
import { whileUsed } from '../onnx/while-used.ts'
import { bestLines } from './best-lines.ts'
import { findLines } from './find-lines.ts'
import { type GreyPicture, greyOf } from './grey-picture.ts'
import { lineSheet, type Sheet } from './line-sheet.ts'
import { dataFolder, dataHint, type Page, tesseractWorkers, type Workers } from './tesseract-workers.ts'

const Settings = z.strictObject({
  language: z.string().default('eng').describe('of the language data package @tesseract.js-data/<language>'),
  workers: z
    .number()
    .int()
    .positive()
    .default(Math.max(1, availableParallelism() - 1))
    .describe('how many frames are read side by side'),
})
type Settings = z.infer<typeof Settings>

const workerMegabytes = 110 // of one worker, with the language data and a page
const sharedMegabytes = 20 // of what reads the answers
const widest = 1280 // pixels: narrower frames are enlarged to it, so that small letters have enough of them

const tesseract: Backend<TextReader, Settings> = {
  summary: 'Tesseract in WebAssembly, with the language data of an npm package; reads the lines that look like letters',
  version: '2',
  selfContained: true,
  settings: Settings,
  needs: ({ language }) => [
    {
      name: `the language data "${language}" for Tesseract`,
      met: async () => (await dataFolder(language)) !== undefined,
      mend: dataHint(language),
    },
  ],
  memory(settings, room) {
    const workers = fitting(settings.workers, workerMegabytes, sharedMegabytes, room)
    return { settings: { ...settings, workers }, megabytes: sharedMegabytes + workers * workerMegabytes }
  },
  async open({ language, workers }) {
    const pool = whileUsed(() => tesseractWorkers(language, workers))
    await pool.use(async () => {}) // what does not start is known at once
    return {
      async read(frames, signal) {
        const pages: TextLine[][] = []
        await pool.use(async open => {
          for await (const lines of inOrder(frames, workers, signal, frame => readFrame(open, frame))) pages.push(lines)
        })
        return pages
      },
      close: pool.close,
    }
  },
}

export default tesseract

async function readFrame(pool: Workers, frame: Frame): Promise<TextLine[]> {
  const found = await findLines(greyOf(await enlarged(frame)))
  if (found.length === 0) return []
  const sheet = lineSheet(found)
  return bestLines(linesOf(await pool.recognize(portableGreymap(sheet)), sheet))
}

async function enlarged(frame: Frame): Promise<Frame> {
  return frame.width < widest ? resizeFrame(frame, widest, Math.round((frame.height * widest) / frame.width)) : frame
}

function portableGreymap({ width, height, grey }: GreyPicture): Uint8Array {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), grey])
}

// What was read in each row of the sheet, back at its place in the picture.
function linesOf(page: Page, { rows }: Sheet): TextLine[] {
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
