import { availableParallelism } from 'node:os'
import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import { inOrder } from '../../src/core/basics/in-order.ts'
import { countFitting } from '../../src/core/machine/memory.ts'
import type { TextLine, TextReader } from '../../src/core/services.ts'
import { closeWhenIdle } from '../onnx/close-when-idle.ts'
import { dataNeed, tesseractWorkers } from './tesseract-workers.ts'

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

const tesseract: Backend<TextReader, Settings> = {
  summary: 'Tesseract in WebAssembly, with the language data of an npm package; reads the lines that look like letters',
  version: '2',
  selfContained: true,
  settings: Settings,
  needs: ({ language }) => [dataNeed(language)],
  memory(settings, room) {
    const workers = countFitting(settings.workers, workerMegabytes, sharedMegabytes, room)
    return { settings: { ...settings, workers }, megabytes: sharedMegabytes + workers * workerMegabytes }
  },
  async open({ language, workers }) {
    const pool = closeWhenIdle(() => tesseractWorkers(language, workers))
    await pool.use(async () => {}) // what does not start is known at once
    const { readFrame } = await import('./read-frame.ts')
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
