import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { existsSync } from 'node:fs'
import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import { BackendError, UsageError } from '../../src/core/errors.ts'
import type { TextLine, TextReader } from '../../src/core/services.ts'
import type { Frame } from '../../src/core/video.ts'
import { resizeFrame } from '../../src/media/image.ts'

const Settings = z.object({
  language: z.string().default('eng').describe('of the language data package @tesseract.js-data/<language>'),
  workers: z.number().int().min(1).optional().describe('default: one less than there are cores'),
  leastConfidence: z.number().min(0).max(100).default(55).describe('of a line that is kept, in per cent'),
})

const START_LIMIT = 60_000
const WIDTH = 1280 // narrower frames are enlarged to it, so that small letters have enough pixels

const tesseract: Backend<TextReader, z.infer<typeof Settings>> = {
  summary: 'Tesseract in WebAssembly, with the language data of an npm package',
  version: '1',
  settings: Settings,
  async open(settings) {
    const workers = settings.workers ?? Math.max(1, availableParallelism() - 1)
    const scheduler = await startWorkers(settings.language, workers)
    return {
      read: (frames, signal) =>
        Promise.all(
          frames.map(async frame => {
            signal.throwIfAborted()
            const large = frame.width < WIDTH ? await resizeFrame(frame, WIDTH, Math.round((frame.height * WIDTH) / frame.width)) : frame
            const { data } = await scheduler.addJob('recognize', portablePixmap(large), {}, { blocks: true, text: false })
            return linesOf(data.blocks ?? [], large, settings.leastConfidence)
          }),
        ),
      close: async () => {
        await scheduler.terminate()
      },
    }
  },
}

export default tesseract

type Scheduler = Awaited<ReturnType<typeof import('tesseract.js')['createScheduler']>>
type Block = NonNullable<import('tesseract.js').Page['blocks']>[number]

async function startWorkers(language: string, count: number): Promise<Scheduler> {
  const langPath = dataFolder(language)
  const { createScheduler, createWorker, PSM } = await import('tesseract.js')
  const scheduler = createScheduler()
  for (let i = 0; i < count; i++) {
    // A failed start never settles by itself, and an error nobody takes ends the process.
    const worker = await new Promise<Awaited<ReturnType<typeof createWorker>>>((resolve, reject) => {
      const fail = (cause: unknown) => reject(new BackendError(`Tesseract did not start: ${String(cause)}.`, { cause }))
      const limit = setTimeout(() => fail(`no answer within ${START_LIMIT / 1000} s`), START_LIMIT)
      createWorker(language, 1, { langPath, gzip: true, cacheMethod: 'none', errorHandler: fail })
        .then(resolve, fail)
        .finally(() => clearTimeout(limit))
    })
    await worker.setParameters({ tessedit_pageseg_mode: PSM.SPARSE_TEXT })
    scheduler.addWorker(worker)
  }
  return scheduler
}

function dataFolder(language: string): string {
  const missing = () =>
    new UsageError(`There is no language data "${language}" for Tesseract.`, { hint: `npm install @tesseract.js-data/${language}` })
  if (!/^[a-z_]{3,12}$/.test(language)) throw missing()
  try {
    const folder = join(dirname(createRequire(import.meta.url).resolve(`@tesseract.js-data/${language}/package.json`)), '4.0.0_best_int')
    if (existsSync(join(folder, `${language}.traineddata.gz`))) return folder
  } catch {
    throw missing()
  }
  throw missing()
}

function portablePixmap(frame: Frame): Buffer {
  return Buffer.concat([Buffer.from(`P6\n${frame.width} ${frame.height}\n255\n`), frame.rgb])
}

function linesOf(blocks: Block[], frame: Frame, leastConfidence: number): TextLine[] {
  return blocks
    .flatMap(block => block.paragraphs.flatMap(paragraph => paragraph.lines))
    .map(line => ({
      text: line.text.trim().replace(/\s+/g, ' '),
      confidence: line.confidence / 100,
      box: {
        x: line.bbox.x0 / frame.width,
        y: line.bbox.y0 / frame.height,
        width: (line.bbox.x1 - line.bbox.x0) / frame.width,
        height: (line.bbox.y1 - line.bbox.y0) / frame.height,
      },
    }))
    .filter(line => line.confidence * 100 >= leastConfidence && (line.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 2)
    .sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x)
}
