import { BackendError } from '../../../src/core/errors.ts'
import type { TextLine } from '../../../src/core/services.ts'
import type { Frame } from '../../../src/core/video.ts'
import { cropFrame, resizeFrame } from '../../../src/media/image.ts'
import type { Batches } from '../../onnx/batches.ts'
import type { OnnxTensor } from '../../onnx/messages.ts'
import type { LazySession } from '../../onnx/session.ts'
import type { Recognized } from '../../prepare/letters.ts'
import { prepare } from '../../prepare/prepare.ts'
import type { BoxSettings, LinePlace } from '../../prepare/text-boxes.ts'
import type { AccentReader } from '../accents.ts'
import { inReadingOrder } from '../best-lines.ts'
import type { SmallPrintReader } from '../small-print.ts'
import { cutLine, levelBox } from './cut-line.ts'

export interface PageReader {
  detector: LazySession
  recognizer: LazySession
  classifier?: LazySession
  pages: Batches
  lines: Batches
  keys: string[]
  accents?: AccentReader
  smallPrint?: SmallPrintReader
  settings: PageSettings
}

export interface PageSettings extends BoxSettings {
  narrowest: number // pixels of the shorter side that the detector sees, at least
  widest: number // of the longer one, at most
  lineHeight: number // that the recogniser reads
}

const glance = 640 // pixels of the longer side of a frame that the detector sees first: 0.4 of the time at 960
const small = 17 // pixels of the height of a line there; lower ones are cut more exactly if it sees the frame larger

// Where text is, and what each piece of it says. While one page is read the next is made smaller.
export async function readPages(
  frames: readonly Frame[],
  reader: PageReader,
  signal: AbortSignal,
): Promise<TextLine[][]> {
  const pages = await reader.pages.feed(
    frames,
    signal,
    frame => smallPage(frame, glanceAt(frame, reader.settings), reader, signal),
    batch =>
      Promise.all(
        batch.map(async page => {
          const places = await findLines(page, reader, signal)
          const pieces = places.map(place => ({ place, picture: cutLine(page.frame, place) }))
          const lines = await recognizeLines(pieces, reader, signal)
          const read = pieces.map((piece, i) => ({ ...piece, ...lines[i]! })).filter(isText)
          const texts = await reader.smallPrint?.correct(read, signal)
          for (const [i, text] of texts?.entries() ?? []) read[i]!.text = text
          return { frame: page.frame, read }
        }),
      ),
  )
  await restoreAccents(
    pages.flatMap(({ read }) => read),
    reader,
    signal,
  )
  return pages.map(({ frame, read }) =>
    inReadingOrder(read, levelBox(read, frame)).map(({ text, confidence, place: { box } }) => ({
      text,
      confidence,
      box,
    })),
  )
}

// What reads the lines makes room for the languages: its models open again in a moment.
async function restoreAccents(
  lines: (Piece & Recognized)[],
  { accents, detector, recognizer }: PageReader,
  signal: AbortSignal,
): Promise<void> {
  if (!accents || lines.length === 0) return
  const texts = await detector.restWhile(() => recognizer.restWhile(() => accents.restore(lines, signal)))
  for (const [i, text] of texts.entries()) lines[i]!.text = text
}

// What has to be enlarged is seen as large as it gets at once.
function glanceAt({ width, height }: Frame, { narrowest, widest }: PageSettings): number {
  return Math.min(width, height) < narrowest ? widest : Math.min(glance, widest)
}

// Texture is read as unsure letters, its edges as marks, a dark square as a digit. What is sure is text, whatever its form.
function isText({ text, confidence }: Recognized): boolean {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  return letters > 0 && confidence >= (letters > 3 ? 0.6 : letters > 1 ? 0.8 : 0.985)
}

interface Page {
  frame: Frame
  width: number
  height: number
  data: Float32Array
}

const multiple = 32 // the detector halves the picture five times

// A large picture is made smaller for the detector, a small one larger: its letters would be too few pixels high.
async function smallPage(
  frame: Frame,
  widest: number,
  { settings: { narrowest } }: PageReader,
  signal: AbortSignal,
): Promise<Page> {
  const least = Math.max(1, narrowest / Math.min(frame.width, frame.height))
  const scale = Math.min(least, widest / Math.max(frame.width, frame.height))
  const side = (length: number) => Math.max(multiple, Math.round((length * scale) / multiple) * multiple)
  const small = await resizeFrame(frame, side(frame.width), side(frame.height))
  const { width, height } = small
  return { frame, width, height, data: await prepare('pagePlanes', [small], signal) }
}

// A second look, if there is small print and the page may be larger.
async function findLines(page: Page, reader: PageReader, signal: AbortSignal): Promise<LinePlace[]> {
  const places = await detectText(page, reader, signal)
  if (!places.some(place => lineHeight(place, page) <= small)) return places
  const larger = await smallPage(page.frame, reader.settings.widest, reader, signal)
  return larger.width > page.width ? detectText(larger, reader, signal) : places
}

function lineHeight({ box, corners }: LinePlace, { width, height }: Page): number {
  if (!corners) return box.height * height
  const [[x, y], , , [lowerX, lowerY]] = corners
  return Math.hypot((lowerX - x) * width, (lowerY - y) * height)
}

// The map of a "differentiable binarization" model, cut at a threshold, patch by patch.
async function detectText(
  { data, width, height }: Page,
  { detector, settings }: PageReader,
  signal: AbortSignal,
): Promise<LinePlace[]> {
  const map = await run(detector, { type: 'float32', data, dims: [1, 3, height, width] }, signal)
  const { threshold, boxThreshold } = settings
  return prepare('textBoxes', [map.data as Float32Array, { width, height }, { threshold, boxThreshold }], signal)
}

const maxWidth = 2400 // pixels of a line at the height that the model reads

interface Piece {
  place: LinePlace
  picture: Frame
}

const doubt = 0.92 // mean score of the letters below which a line is read once more
const wider = 1.4

// Reads pictures of one line each. The letters of one that is unsure may be too narrow for the steps of the recogniser: of it and of
// the same line made wider, the surer reading is taken.
async function recognizeLines(pieces: Piece[], reader: PageReader, signal: AbortSignal): Promise<Recognized[]> {
  const pictures = pieces.map(({ picture }) => picture)
  const lines = await readPictures(pictures, 1, reader, signal)
  const unsure = [...lines.keys()].filter(i => lines[i]!.confidence < doubt && lines[i]!.text.length > 3)
  const again = await readPictures(
    unsure.map(i => pictures[i]!),
    wider,
    reader,
    signal,
  )
  for (const [at, i] of unsure.entries()) if (again[at]!.confidence > lines[i]!.confidence + 0.01) lines[i] = again[at]!
  return lines
}

// Lines of like length go together, as all of a batch are padded to the longest.
async function readPictures(
  pictures: Frame[],
  stretch: number,
  reader: PageReader,
  signal: AbortSignal,
): Promise<Recognized[]> {
  const { lineHeight: height } = reader.settings
  const order = [...pictures.entries()].sort(([, a], [, b]) => ratio(a) - ratio(b))
  const read = await reader.lines.map(order, signal, async some => {
    const upright = await turnUpright(
      some.map(([, picture]) => picture),
      reader,
      signal,
    )
    const lines = await Promise.all(
      upright.map(picture => resizeFrame(picture, widthAt(picture, height, stretch), height)),
    )
    return recognize(lines, reader, signal)
  })
  const results: Recognized[] = new Array(pictures.length)
  for (const [row, [i]] of order.entries()) results[i] = read[row]!
  return results
}

const seen = { width: 192, height: 48 } // pixels of a line that the classifier sees
const sure = 0.9 // from which share a line is turned

// Lines that the classifier takes for upside down are turned by half a circle.
async function turnUpright(pictures: Frame[], { classifier }: PageReader, signal: AbortSignal): Promise<Frame[]> {
  if (!classifier) return pictures
  const { width, height } = seen
  // The beginning of a long line is enough; squeezed as a whole its letters would be blurred.
  const ends = pictures.map(picture =>
    cropFrame(picture, {
      x: 0,
      y: 0,
      width: Math.min(1, (width / height) * (picture.height / picture.width)),
      height: 1,
    }),
  )
  const small = await Promise.all(
    ends.map(picture => resizeFrame(picture, Math.min(width, widthAt(picture, height)), height)),
  )
  const data = await prepare('linePlanes', [small, width, height], signal)
  const shares = await run(classifier, { type: 'float32', data, dims: [small.length, 3, height, width] }, signal)
  return pictures.map((picture, i) => ((shares.data[i * 2 + 1] as number) > sure ? turned(picture) : picture))
}

function turned(picture: Frame): Frame {
  const { rgb } = picture
  const half = new Uint8Array(rgb.length)
  for (let at = 0; at < rgb.length; at += 3) half.set(rgb.subarray(at, at + 3), rgb.length - 3 - at)
  return { ...picture, rgb: half }
}

async function recognize(lines: Frame[], { recognizer, keys }: PageReader, signal: AbortSignal): Promise<Recognized[]> {
  const height = lines[0]!.height
  const width = Math.max(...lines.map(line => line.width))
  const data = await prepare('linePlanes', [lines, width, height], signal)
  const scores = await run(recognizer, { type: 'float32', data, dims: [lines.length, 3, height, width] }, signal)
  const [rows = 0, steps = 0, classes = 0] = scores.dims
  return prepare('readLetters', [scores.data as Float32Array, { rows, steps, classes }, keys], signal)
}

async function run(session: LazySession, input: OnnxTensor, signal: AbortSignal): Promise<OnnxTensor> {
  const [output] = Object.values(await session.run(([name = '']) => ({ [name]: input }), signal))
  if (!output) throw new BackendError('The model gives no output.')
  return output
}

function ratio({ width, height }: Frame): number {
  return width / height
}

function widthAt(line: Frame, height: number, stretch = 1): number {
  return Math.min(maxWidth, Math.max(height, Math.ceil(ratio(line) * height * stretch)))
}
