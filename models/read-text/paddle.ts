import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { TextReader } from '../../src/core/services.ts'
import { onnxSettings } from '../onnx/device.ts'
import { filesNeeded, type ModelName, openFiles, paddleModelName, paddleModels } from './paddle/files.ts'
import { openReader } from './paddle/open-reader.ts'

const path = z.string().min(1).optional()

const Settings = z
  .strictObject({
    ...onnxSettings,
    model: z
      .enum(Object.keys(paddleModels) as [ModelName, ...ModelName[]])
      .optional()
      .describe(
        'PP-OCR from the hub, ppocr-v5-mobile unless you name all three files; what you name goes before its own',
      ),
    detector: path.describe('finds text: PP-OCR detection, .onnx'),
    recognizer: path.describe('reads a line: PP-OCR recognition, .onnx'),
    keys: path.describe('its characters in the order of its classes: one a line, or its inference.yml'),
    classifier: path.describe('finds lines that are upside down: the orientation classifier of PP-OCR 2 to 4, .onnx'),
    lineHeight: z
      .number()
      .int()
      .positive()
      .default(48)
      .describe('pixels that the recogniser reads: 32 before version 3'),
    widest: z.number().int().min(64).default(960).describe('pixels of the longer side that the detector sees, at most'),
    narrowest: z
      .number()
      .int()
      .min(0)
      .default(480)
      .describe('pixels of the shorter side to which the detector enlarges'),
    threshold: z.number().min(0).max(1).default(0.3).describe('from which score a pixel is text'),
    boxThreshold: z.number().min(0).max(1).default(0.5).describe('from which mean score a patch is text'),
  })
  .superRefine((files, context) => {
    for (const [file, what] of Object.entries(required))
      if (!paddleModelName(files) && !files[file as keyof typeof required])
        context.addIssue({ code: 'custom', path: [file], message: `name the file of ${what}, or a model` })
  })
type Settings = z.infer<typeof Settings>

const required = {
  detector: 'the detector, an ONNX export of PP-OCR',
  recognizer: 'the recogniser, an ONNX export of PP-OCR',
  keys: 'the keys of the recogniser',
}

const paddle: Backend<TextReader, Settings> = {
  summary:
    'PP-OCR in ONNX: PP-OCRv5 from the hub, or a detector and a recogniser of one language from files that you name',
  version: '5',
  settings: Settings,
  needs: filesNeeded,
  async open(settings, host) {
    return openReader(await openFiles(settings, host), settings, host)
  },
}

export default paddle
