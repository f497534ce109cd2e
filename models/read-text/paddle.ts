import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import { UsageError } from '../../src/core/errors.ts'
import type { TextReader } from '../../src/core/services.ts'
import { fileNeeds } from '../is-file.ts'
import { Batches } from '../onnx/batches.ts'
import { onnxSettings } from '../onnx/device.ts'
import { lazySession } from '../onnx/session.ts'
import { type PageReader, readPages } from './paddle/read-page.ts'

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
  needs: ({ detector, recognizer, keys }) => fileNeeds('readText', { detector, recognizer, keys }),
  async open(settings, host) {
    const keys = await readKeys(settings.keys)
    const detector = lazySession(settings.detector, settings, host)
    const recognizer = lazySession(settings.recognizer, settings, host)
    const say = (line: string) => host.say(line)
    const reader: PageReader = {
      ...{ detector, recognizer, keys, settings },
      pages: new Batches(1, { cpu: 1, card: 1 }, say, detector),
      lines: new Batches(8, { cpu: 8, card: 8 }, say, recognizer),
    }
    return {
      atOnce: 8,
      read: (frames, signal) => readPages(frames, reader, signal),
      close: async () => void (await Promise.all([detector.close(), recognizer.close()])),
    }
  },
}

export default paddle

async function readKeys(file: string): Promise<string[]> {
  const keys = (await readFile(file, 'utf8')).replace(/\r?\n$/, '').split(/\r?\n/)
  if (keys.length < 2) throw new UsageError(`${file} holds no keys.`, { hint: 'It must hold one character a line.' })
  return keys
}
