import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Backend, Closable, Host } from '../../src/core/backend.ts'
import { UsageError } from '../../src/core/errors.ts'
import type { TextLine, TextReader } from '../../src/core/services.ts'
import type { Frame } from '../../src/core/video.ts'
import { cropFrame } from '../../src/media/image.ts'
import { isFile } from '../is-file.ts'
import { onnxSettings } from '../onnx/device.ts'
import { type OnnxSession, openOnnxSession } from '../onnx/session.ts'
import { whileUsed } from '../onnx/while-used.ts'
import { bestLines } from './best-lines.ts'
import { detectText } from './paddle-detect.ts'
import { recognizeLines } from './paddle-recognize.ts'

const path = (what: string) => z.string({ error: `name the file of ${what}` }).min(1)

const Settings = z.strictObject({
  ...onnxSettings,
  detector: path('the detector, an ONNX export of PP-OCR').describe('finds text: PP-OCR detection, .onnx'),
  recognizer: path('the recogniser, an ONNX export of PP-OCR').describe('reads a line: PP-OCR recognition, .onnx'),
  keys: path('the keys of the recogniser').describe('its characters, one a line, in the order of its classes'),
  lineHeight: z.number().int().positive().default(48).describe('pixels that the recogniser reads: 32 before version 3'),
  widest: z.number().int().min(64).default(960).describe('pixels of the longer side that the detector sees'),
  threshold: z.number().min(0).max(1).default(0.3).describe('from which score a pixel is text'),
  boxThreshold: z.number().min(0).max(1).default(0.5).describe('from which mean score a patch is text'),
})
type Settings = z.infer<typeof Settings>

const paddle: Backend<TextReader, Settings> = {
  summary: 'PP-OCR in ONNX: a detector and a recogniser of one language, from files that you name',
  version: '2',
  settings: Settings,
  needs: ({ detector, recognizer, keys }) =>
    Object.entries({ detector, recognizer, keys }).map(([setting, file]) => ({
      name: `the ${setting} file ${file}`,
      met: () => isFile(file),
      mend: `Set models.readText.${setting} to where it lies.`,
    })),
  async open(settings, host) {
    const keys = await readKeys(settings.keys)
    const sessions = whileUsed(() => openBoth(settings, host))
    return {
      read: (frames, signal) =>
        sessions.use(async open => {
          const pages: TextLine[][] = []
          for (const frame of frames) pages.push(await readFrame(frame, { ...open, keys, settings }, signal))
          return pages
        }),
      close: sessions.close,
    }
  },
}

export default paddle

interface Sessions extends Closable {
  detector: OnnxSession
  recognizer: OnnxSession
  ended(): boolean
}

async function openBoth(settings: Settings, host: Host): Promise<Sessions> {
  const detector = await openOnnxSession(settings.detector, settings, host)
  const recognizer = await openOnnxSession(settings.recognizer, settings, host).catch(async error => {
    await detector.close()
    throw error
  })
  return {
    detector,
    recognizer,
    ended: () => detector.ended() || recognizer.ended(),
    close: async () => void (await Promise.all([detector.close(), recognizer.close()])),
  }
}

interface Parts extends Sessions {
  keys: string[]
  settings: Settings
}

async function readFrame(frame: Frame, parts: Parts, signal: AbortSignal): Promise<TextLine[]> {
  signal.throwIfAborted()
  const boxes = await detectText(parts.detector, frame, parts.settings, signal)
  const crops = boxes.map(box => cropFrame(frame, box))
  const reading = { height: parts.settings.lineHeight, keys: parts.keys }
  const read = await recognizeLines(parts.recognizer, crops, reading, signal)
  return bestLines(read.map((line, i) => ({ ...line, box: boxes[i]! })))
}

async function readKeys(file: string): Promise<string[]> {
  const keys = (await readFile(file, 'utf8')).replace(/\r?\n$/, '').split(/\r?\n/)
  if (keys.length < 2) throw new UsageError(`${file} holds no keys.`, { hint: 'It must hold one character a line.' })
  return keys
}
